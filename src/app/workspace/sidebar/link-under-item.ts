import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { indexHolding } from '../../../canvas/geometry/document-index.ts';
import { linkUnderCard } from '../../../canvas/link-under-card.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';

/** Returns the link that a new card of an agent or a person is put into at this place (world px, top-left), as a card that is there would be. D2.02 */
export function linkUnderItem(
  { store, view }: { store: WorkspaceStore; view: CanvasView },
  { kind }: AddableItem,
  at: { x: number; y: number },
): string | null {
  if (kind !== 'agent' && kind !== 'user') return null;
  const index = indexHolding(foldedStore(store, view).getState().document);
  const { width, height } = nodeSize({ type: 'agent' });
  return index && linkUnderCard(index, { x: at.x + width / 2, y: at.y + height / 2 });
}
