import type { WorkspaceStore } from '../../model/workspace-store.ts';
import type { CanvasView } from '../canvas-view.ts';
import { foldedStore } from './folded-store.ts';

/** Opens the folded groups that hide these nodes, or an end of these links. */
export function openGroups(view: CanvasView, store: WorkspaceStore, nodeIds: readonly string[], linkIds: readonly string[] = []): void {
  const { folding } = foldedStore(store, view);
  if (folding) view.update({ folded: folding.openedFor(nodeIds, linkIds) });
}
