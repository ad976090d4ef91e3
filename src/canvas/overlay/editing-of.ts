import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { nodeBox } from '../geometry/document-bounds.ts';
import { cameraShowing } from '../outline/camera-showing.ts';
import { zoomTo } from '../tools/zoom-step.ts';
import { canBeWrittenIn } from './dialogs-in-view.ts';

/** Begins to write a node's name or a note's text; comes nearer first where it is too small or out of view. */
export function editingOf(node: CanvasNode, moment: CanvasMoment): Partial<CanvasMoment> {
  const camera = canBeWrittenIn(moment) ? moment.camera : zoomTo(moment, 1);
  return {
    editing: node.id,
    selectedNodes: new Set([node.id]),
    selectedLinks: new Set(),
    camera: cameraShowing(nodeBox(node), { ...moment, camera }),
  };
}
