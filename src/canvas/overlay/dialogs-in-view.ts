import type { CanvasDocument } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { overlaps, visibleWorld } from '../geometry/camera.ts';
import { detailLevel } from '../geometry/level-of-detail.ts';

/** The dialogs among `ids` whose forms are to be on the page: in view, and large enough to be written in. */
export function dialogsInView(
  ids: Iterable<string>,
  document: CanvasDocument,
  moment: Pick<CanvasMoment, 'camera' | 'size' | 'drag'>,
): string[] {
  if (!canBeWrittenIn(moment)) return [];
  const view = visibleWorld(moment.camera, moment.size);
  const shown: string[] = [];
  for (const id of ids) {
    const node = document.nodes[id];
    if (!node) continue;
    const { width, height } = nodeSize(node);
    const moved = moment.drag?.nodeIds.has(id) && !moment.drag.copies ? moment.drag : null;
    const left = node.x + (moved?.dx ?? 0);
    const top = node.y + (moved?.dy ?? 0);
    if (overlaps(view, { left, top, right: left + width, bottom: top + height })) shown.push(id);
  }
  return shown;
}

/** Whether dialogs are large enough on the screen to be written in; smaller ones are pictures. */
export function canBeWrittenIn({ camera }: Pick<CanvasMoment, 'camera'>): boolean {
  return detailLevel(camera.zoom) === 'full';
}
