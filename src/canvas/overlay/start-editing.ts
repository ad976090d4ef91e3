import type { CanvasNode } from '../../../contract/canvas.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { nodeBox } from '../geometry/document-bounds.ts';
import { cameraShowing } from '../outline/camera-showing.ts';
import { zoomTo } from '../tools/zoom-step.ts';
import { canBeWrittenIn } from './dialog/dialogs-in-view.ts';

/** Starts editing a node's name or a note's text. Zooms to it first if it is too small or out of view. */
export function startEditing(node: CanvasNode, ephemeral: EphemeralState): Partial<EphemeralState> {
  const camera = canBeWrittenIn(ephemeral) ? ephemeral.camera : zoomTo(ephemeral, 1);
  return {
    editing: node.id,
    selectedNodes: new Set([node.id]),
    selectedLinks: new Set(),
    camera: cameraShowing(nodeBox(node), { ...ephemeral, camera }),
  };
}
