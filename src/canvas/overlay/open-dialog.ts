import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { CanvasView } from '../canvas-view.ts';
import { cameraShowing } from '../outline/camera-showing.ts';
import { zoomTo } from '../tools/zoom-step.ts';
import { canBeWrittenIn } from './dialogs-in-view.ts';

/** Puts the caret into a dialog's box; comes nearer first where the card is too small or out of view. */
export function openDialog(canvas: HTMLElement, node: CanvasNode, view: CanvasView): void {
  const { width, height } = nodeSize(node);
  const camera = canBeWrittenIn(view.moment) ? view.moment.camera : zoomTo(view.moment, 1);
  view.update({
    camera: cameraShowing({ left: node.x, top: node.y, right: node.x + width, bottom: node.y + height }, { ...view.moment, camera }),
  });
  // A form that was not there yet is mounted before the next frame.
  requestAnimationFrame(() => {
    canvas.querySelector<HTMLTextAreaElement>(`[data-dialog-id="${CSS.escape(node.id)}"] textarea`)?.focus({ preventScroll: true });
  });
}
