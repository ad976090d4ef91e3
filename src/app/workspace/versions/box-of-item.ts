import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { Rect } from '../../../canvas/geometry/camera.ts';
import { nodeBox, unionBox } from '../../../canvas/geometry/document-bounds.ts';
import type { Comparison } from '../../../model/versions/comparison.ts';
import type { DifferenceItem } from './difference-items.ts';

/** The box of a card, or of both ends of a link, with removed cards where they were (world px). */
export function boxOfItem(item: DifferenceItem, { nodes }: Comparison, document: CanvasDocument): Rect | null {
  if (item.record === 'node') {
    const node = item.now ?? item.before;
    return node ? nodeBox(node) : null;
  }
  const link = item.now ?? item.before;
  if (!link) return null;
  const nodeOf = (id: string): CanvasNode | undefined => {
    const difference = nodes[id];
    return document.nodes[id] ?? (difference && difference.kind !== 'added' ? difference.before : undefined);
  };
  const boxes = [link.from.agentId, link.to.agentId].flatMap((id) => {
    const node = nodeOf(id);
    return node ? [nodeBox(node)] : [];
  });
  return boxes.reduce<Rect | null>(unionBox, null);
}
