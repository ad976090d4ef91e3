import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { DocumentCommand } from '../../model/commands.ts';
import { boxOf } from '../../model/document/annotations.ts';
import { gridSize } from '../geometry/grid-step.ts';
import { resizedBox } from '../overlay/resize/resized-box.ts';

/** One grid step of the right (x) or lower (y) edge; `goesOn` while the key is held. */
export type ResizeStep = { x: -1 | 0 | 1; y: -1 | 0 | 1; goesOn: boolean };

/** Resizes a note or group by one step. Null for nodes without a size of their own, and at the minimum size. */
export function resizeStep(node: CanvasNode, { x, y, goesOn }: ResizeStep): Extract<DocumentCommand, { type: 'node.update' }> | null {
  if (!isAnnotation(node)) return null;
  const before = boxOf(node);
  const grip = { x: x === 0 ? 0 : 1, y: y === 0 ? 0 : 1 } as const;
  const { width, height } = resizedBox(before, grip, { dx: x * gridSize, dy: y * gridSize }, null);
  if (width === before.width && height === before.height) return null;
  return { type: 'node.update', id: node.id, changes: { width, height }, ...(goesOn && { goesOn }) };
}
