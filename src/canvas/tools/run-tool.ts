import { bandStep, cancelBand } from './band-tool.ts';
import { idleStep } from './idle-tool.ts';
import { linkStep } from './link-tool.ts';
import { moveStep, noDrag } from './move-tool.ts';
import { panStep } from './pan-tool.ts';
import { pinchStep, startPinch } from './pinch-tool.ts';
import { pressStep } from './press-tool.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

/** Hands an input to the gesture under way. A second finger turns any one-finger gesture into a pinch. */
export function runTool(tool: Tool, input: PointerInput, context: ToolContext): Step {
  if (input.type === 'down' && input.device === 'touch') {
    const pinch = startPinch(tool, input);
    if (pinch) return pinch;
  }
  switch (tool.kind) {
    case 'idle':
      return idleStep(input, context);
    case 'press':
      return pressStep(tool, input, context);
    case 'pan':
      return panStep(tool, input, context);
    case 'move':
      return moveStep(tool, input, context);
    case 'link':
      return linkStep(tool, input, context);
    case 'band':
      return bandStep(tool, input, context);
    case 'pinch':
      return pinchStep(tool, input, context);
    default:
      return unknownTool(tool);
  }
}

/** Ends the gesture without trace; null when there was none. */
export function cancelTool(tool: Tool): Step | null {
  if (tool.kind === 'band') return cancelBand(tool);
  return tool.kind === 'idle' ? null : { tool: idle, moment: { ...noDrag, linkDraft: null } };
}

function unknownTool(tool: never): never {
  throw new Error(`No such tool: ${JSON.stringify(tool)}`);
}
