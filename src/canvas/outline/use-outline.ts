import { useEffect, useState } from 'react';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { type Touched, touchedAll, touchedBy } from '../geometry/touched.ts';
import { OutlineRows } from './outline-rows.ts';

/** The document's outline, kept up to date in the browser's idle time after a change, so that it never delays a gesture. */
export function useOutline(store: WorkspaceStore): OutlineRows {
  const [outline, setOutline] = useState(() => new OutlineRows({ nodes: {}, connections: {} }));
  useEffect(() => {
    let touched: Pick<Touched, 'nodes' | 'links'> = touchedAll;
    let pending: (() => void) | null = null;
    const refresh = () => {
      pending = null;
      const { document } = store.getState();
      const since = touched;
      touched = { nodes: new Set(), links: new Set() };
      setOutline((before) => before.after(document, since));
    };
    const schedule = () => {
      pending ??= whenIdle(refresh);
    };
    schedule();
    const unsubscribe = store.subscribe((_state, patches) => {
      const now = patches ? touchedBy(patches) : touchedAll;
      if (now.nodes !== 'all' && now.links !== 'all' && now.nodes.size + now.links.size === 0) return;
      touched = { nodes: both(touched.nodes, now.nodes), links: both(touched.links, now.links) };
      schedule();
    });
    return () => {
      unsubscribe();
      pending?.();
    };
  }, [store]);
  return outline;
}

function both(a: ReadonlySet<string> | 'all', b: ReadonlySet<string> | 'all'): Set<string> | 'all' {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
}
