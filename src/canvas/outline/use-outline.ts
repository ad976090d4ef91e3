import { useEffect, useState } from 'react';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { OutlineRows } from './outline-rows.ts';

/** The document's outline, made anew in the browser's idle time after a change, so that it never delays a gesture. */
export function useOutline(store: WorkspaceStore): OutlineRows {
  const [outline, setOutline] = useState(() => new OutlineRows({ nodes: {}, connections: {} }));
  useEffect(() => {
    let shown: CanvasDocument | null = null;
    let pending: (() => void) | null = null;
    const refresh = () => {
      pending = null;
      const { document } = store.getState();
      if (document === shown) return;
      shown = document;
      setOutline(new OutlineRows(document));
    };
    const schedule = () => {
      if (store.getState().document !== shown) pending ??= whenIdle(refresh);
    };
    schedule();
    const unsubscribe = store.subscribe(schedule);
    return () => {
      unsubscribe();
      pending?.();
    };
  }, [store]);
  return outline;
}
