import type { CanvasNode } from '../../../../contract/canvas.ts';
import { atRest } from '../../camera-movement.ts';
import type { CanvasView } from '../../canvas-view.ts';
import { nodeBox } from '../../geometry/document-bounds.ts';
import { cameraShowing } from '../../outline/camera-showing.ts';
import { zoomTo } from '../../tools/zoom-step.ts';
import { canBeWrittenIn } from './dialogs-in-view.ts';

/** Focuses a dialog's text box. Zooms to the card first if it is too small or out of view. */
export function openDialog(canvas: HTMLElement, node: CanvasNode, view: CanvasView): void {
  const now = atRest(view);
  const camera = canBeWrittenIn(now) ? now.camera : zoomTo(now, 1);
  view.update({ camera: cameraShowing(nodeBox(node), { ...now, camera }) });
  // A form that was not mounted yet is mounted before the next frame.
  requestAnimationFrame(() => {
    canvas.querySelector<HTMLTextAreaElement>(`[data-dialog-id="${CSS.escape(node.id)}"] textarea`)?.focus({ preventScroll: true });
  });
}
