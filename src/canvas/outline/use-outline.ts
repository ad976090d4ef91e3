import { useEffect, useState } from 'react';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { onceWhenIdle } from '../../ui/loading/when-idle.ts';
import { touchedAll, touchedBy } from '../geometry/touched.ts';
import { type OutlineChange, OutlineRows } from './outline-rows.ts';

const unchanged: OutlineChange = { nodes: new Map(), hasLinks: false };

/** Returns the document's outline. It is updated in the browser's idle time after a change, so that it never delays a gesture. */
export function useOutline(store: WorkspaceStore): OutlineRows {
  const [outline, setOutline] = useState(() => new OutlineRows({ nodes: {}, connections: {} }));
  useEffect(() => {
    let rows = new OutlineRows({ nodes: {}, connections: {} });
    let changed: OutlineChange = 'all';
    const refresh = onceWhenIdle(() => {
      const { document } = store.getState();
      const since = changed;
      changed = unchanged;
      // Computed here and not in an updater: React may call an updater later, when the document has changes that `since` lacks.
      rows = rows.after(document, since);
      setOutline(rows);
    });
    refresh.schedule();
    const unsubscribe = store.subscribe((_state, patches, earlier) => {
      const now = patches ? touchedBy(patches) : touchedAll;
      if (now.nodes === 'all' || now.links === 'all') changed = 'all';
      else if (now.nodes.size + now.links.size === 0) return;
      else if (changed !== 'all') {
        changed = { nodes: new Map([...earlier.nodes, ...changed.nodes]), hasLinks: changed.hasLinks || now.links.size > 0 };
      }
      refresh.schedule();
    });
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [store]);
  return outline;
}
