import type { Hover } from '../canvas-view.ts';
import { toWorld } from '../geometry/camera.ts';
import { redraw } from './link-tool.ts';
import { selectPressed } from './select-pressed.ts';
import { idle, type PointerInput, type Step, type ToolContext } from './tool.ts';

const buttons = { left: 0, middle: 1 } as const;

/** No gesture: updates `hover`, and decides which gesture a press starts. W2.06 W4.11 */
export function idleStep(input: PointerInput, context: ToolContext): Step {
  if (input.type === 'move' && input.device !== 'touch') return hoverStep(input, context);
  if (input.type !== 'down') return { tool: idle };
  const { pointerId, device, at } = input;
  const pans = input.button === buttons.middle || (input.button === buttons.left && input.pans);
  if (pans) return { tool: { kind: 'pan', pointerId, device, at }, ephemeral: { hover: null } };
  if (input.button !== buttons.left) return { tool: idle };

  const target = context.hit(at);
  if (target?.kind === 'port' && context.editable) {
    if (target.port === 'in') return pickUp(target.id, input, context);
    const world = toWorld(context.ephemeral.camera, at);
    return {
      tool: { kind: 'link', pointerId, device, at, from: target.id },
      ephemeral: { hover: null, linkDraft: { from: target.id, x: world.x, y: world.y, over: null } },
    };
  }
  return press(input, cardOrLink(target), context);
}

function hoverStep(input: PointerInput, context: ToolContext): Step {
  const hover = context.hit(input.at);
  if (sameHover(hover, context.ephemeral.hover)) return { tool: idle };
  return { tool: idle, ephemeral: { hover, hoverAt: toWorld(context.ephemeral.camera, input.at) } };
}

/** A press on an in port takes the end of a link that is there: of the selected one, else of the newest. D2.03 */
function pickUp(nodeId: string, input: PointerInput, context: ToolContext): Step {
  const ending = context.index.linksOf(nodeId).filter((id) => context.document.connections[id]?.to.agentId === nodeId);
  const id = ending.find((one) => context.ephemeral.selectedLinks.has(one)) ?? ending.at(-1);
  const tool = id === undefined ? null : redraw(input, { id, end: 'to' }, context);
  return tool ? { tool, ephemeral: { hover: null } } : { tool: idle };
}

/**
 * Selects a card on press, so that a drag moves it. Everything else waits for the release, and so does a touch: it may become a pan or a
 * pinch, which change no selection.
 */
function press(input: PointerInput, target: Hover | null, { ephemeral }: ToolContext): Step {
  const { pointerId, device, at, adds } = input;
  const wasSelected = target?.kind === 'node' && ephemeral.selectedNodes.has(target.id);
  const tool = { kind: 'press', pointerId, device, start: at, target, adds, wasSelected } as const;
  if (target?.kind !== 'node' || wasSelected || device === 'touch') return { tool };
  return { tool, ephemeral: selectPressed(target.id, adds, ephemeral) };
}

/** Ports that do nothing count as part of their card. */
function cardOrLink(target: Hover | null): Hover | null {
  return target?.kind === 'port' ? { kind: 'node', id: target.id } : target;
}

function sameHover(a: Hover | null, b: Hover | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'node' && b.kind === 'node' && a.part !== b.part) return false;
  return a.kind === b.kind && a.id === b.id && (a.kind !== 'port' || b.kind !== 'port' || a.port === b.port);
}
