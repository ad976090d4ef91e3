import { idleStep } from './idle-tool.ts';
import { linkStep } from './link-tool.ts';
import { cancelMarquee, marqueeStep } from './marquee-tool.ts';
import { moveStep, noDrag } from './move-tool.ts';
import { panStep } from './pan-tool.ts';
import { pinchStep, startPinch } from './pinch-tool.ts';
import { pressStep } from './press-tool.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

/** Passes an input to the current gesture. A second finger turns any gesture into a pinch. */
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
    case 'marquee':
      return marqueeStep(tool, input, context);
    case 'pinch':
      return pinchStep(tool, input, context);
    default:
      return unknownTool(tool);
  }
}

/** Cancels the current gesture; null without one. */
export function cancelTool(tool: Tool): Step | null {
  if (tool.kind === 'marquee') return cancelMarquee(tool);
  return tool.kind === 'idle' ? null : { tool: idle, ephemeral: { ...noDrag, linkDraft: null } };
}

function unknownTool(tool: never): never {
  throw new Error(`No such tool: ${JSON.stringify(tool)}`);
}
