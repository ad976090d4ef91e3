import { useMemo } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isOutsideRun, runOnCards, showsNextRun } from '../../model/run/shown-on-canvas.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { leftOutOf } from '../scene/left-out.ts';
import { useStoreValue } from '../use-store-value.ts';
import type { ThrottledRun } from './use-throttled-run.ts';

/** Returns what a card says that is no part of the shown run, or of the next one where none is shown; null for all others. D1.20 D1.31 */
export function useLeftOut(store: WorkspaceStore, { run, cards }: ThrottledRun): (node: CanvasNode) => 'leftOut' | 'outside' | null {
  const document = useStoreValue(store, (state) => state.document);
  const participation = useStoreValue(store, (state) => state.participation);
  return useMemo(() => {
    if (!showsNextRun(run)) {
      const onCards = runOnCards(document, run, cards);
      return (node) => (isOutsideRun(node, onCards) ? 'outside' : null);
    }
    const { nodes, outside } = leftOutOf(participation);
    return ({ id }) => (outside.has(id) ? 'outside' : nodes.has(id) ? 'leftOut' : null);
  }, [document, participation, run, cards]);
}
