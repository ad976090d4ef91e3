import { toWorld } from '../geometry/camera.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

/**
 * Draws a link from an out port. A release over the in port of another card creates the link; elsewhere it cancels. A release over the
 * card's own in port sends the command too, so that the engine can say why it refuses. After a release over a port the draft stays until
 * the document has changed. W4.11
 */
export function linkStep(tool: Extract<Tool, { kind: 'link' }>, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  const cancelled: Step = { tool: idle, ephemeral: { linkDraft: null } };
  if (!context.editable || !context.document.nodes[tool.from]) return cancelled;
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const { x, y } = toWorld(context.ephemeral.camera, input.at);
      return {
        tool: { ...tool, at: input.at },
        ephemeral: { linkDraft: { from: tool.from, x, y, over: inPortUnder(tool.from, input, context) } },
      };
    }
    case 'up': {
      const to = inPortAt(input, context);
      return to === null ? cancelled : { tool: idle, command: { type: 'link.add', from: tool.from, to } };
    }
    case 'cancel':
      return cancelled;
  }
}

function inPortUnder(from: string, input: PointerInput, context: ToolContext): string | null {
  const id = inPortAt(input, context);
  return id === from ? null : id;
}

function inPortAt(input: PointerInput, context: ToolContext): string | null {
  const target = context.hit(input.at);
  return target?.kind === 'port' && target.port === 'in' ? target.id : null;
}
