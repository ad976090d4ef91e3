import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { EphemeralState } from '../../canvas-view.ts';
import { overlaps, visibleWorld } from '../../geometry/camera.ts';
import { detailLevel } from '../../geometry/level-of-detail.ts';

/** Returns the dialogs among `ids` that are in view and large enough to type in: their forms are mounted. */
export function dialogsInView(
  ids: Iterable<string>,
  document: CanvasDocument,
  ephemeral: Pick<EphemeralState, 'camera' | 'size' | 'drag'>,
): string[] {
  if (!canBeWrittenIn(ephemeral)) return [];
  const view = visibleWorld(ephemeral.camera, ephemeral.size);
  const shown: string[] = [];
  for (const id of ids) {
    const node = document.nodes[id];
    if (!node) continue;
    const { width, height } = nodeSize(node);
    const moved = ephemeral.drag?.nodeIds.has(id) && !ephemeral.drag.copies ? ephemeral.drag : null;
    const left = node.x + (moved?.dx ?? 0);
    const top = node.y + (moved?.dy ?? 0);
    if (overlaps(view, { left, top, right: left + width, bottom: top + height })) shown.push(id);
  }
  return shown;
}

/** Whether dialogs are large enough on the screen to type in. Smaller ones are drawn by the scene. */
export function canBeWrittenIn({ camera }: Pick<EphemeralState, 'camera'>): boolean {
  return detailLevel(camera.zoom) === 'full';
}
