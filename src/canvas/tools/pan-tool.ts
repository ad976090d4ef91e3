import { pan } from '../geometry/camera.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

/** Moves the view with the pointer. W2.06 */
export function panStep(tool: Extract<Tool, { kind: 'pan' }>, input: PointerInput, { ephemeral }: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move':
      return {
        tool: { ...tool, at: input.at },
        ephemeral: { camera: pan(ephemeral.camera, input.at.x - tool.at.x, input.at.y - tool.at.y) },
      };
    case 'up':
    case 'cancel':
      return { tool: idle };
  }
}
