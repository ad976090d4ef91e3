import { withContents } from '../../model/document/annotations.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { type Rect, toWorld } from '../geometry/camera.ts';
import { joined } from '../geometry/document-bounds.ts';
import { bandStep } from './band-tool.ts';
import { moveStep } from './move-tool.ts';
import { panStep } from './pan-tool.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Press = Extract<Tool, { kind: 'press' }>;

/** CSS px that a pointer may stray while it clicks. */
const clickSlack = { mouse: 3, pen: 5, touch: 8 } as const;

/** A press that has yet to become a click, a drag of cards or a pan. */
export function pressStep(tool: Press, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move':
      return hasMoved(tool, input) ? drag(tool, input, context) : { tool };
    case 'up':
      return { tool: idle, moment: clicked(tool, context) };
    case 'cancel':
      return { tool: idle };
  }
}

function hasMoved({ start }: Press, { at, device }: PointerInput): boolean {
  return Math.hypot(at.x - start.x, at.y - start.y) > clickSlack[device];
}

function drag(tool: Press, input: PointerInput, context: ToolContext): Step {
  const { pointerId, device, start, target } = tool;
  if (target?.kind !== 'node' && context.bands && (tool.adds || context.moment.mode === 'select')) return band(tool, input, context);
  if (target?.kind !== 'node' || !context.editable) {
    return panStep({ kind: 'pan', pointerId, device, at: start }, input, context);
  }
  const taken = context.moment.selectedNodes.has(target.id) ? context.moment.selectedNodes : new Set([target.id]);
  const nodeIds = withContents(context.document.nodes, taken);
  const origin = toWorld(context.moment.camera, start);
  const { x, y } = context.document.nodes[target.id] ?? origin;
  const box = boxOf(nodeIds, context) ?? { left: x, top: y, right: x, bottom: y };
  return moveStep({ kind: 'move', pointerId, device, at: start, origin, nodeIds, grip: { x, y }, box }, input, context);
}

/** The box round some cards, world px. */
function boxOf(nodeIds: Iterable<string>, { index }: ToolContext): Rect | null {
  let box: Rect | null = null;
  for (const id of nodeIds) {
    const slot = index.nodes.slotOf(id);
    if (slot !== undefined) box = joined(box, index.nodes.box(slot));
  }
  return box;
}

/** Without Shift a band begins with nothing selected. */
function band({ pointerId, device, start, adds }: Press, input: PointerInput, context: ToolContext): Step {
  const { selectedNodes, selectedLinks, camera } = context.moment;
  const from = toWorld(camera, start);
  const before = { selectedNodes, selectedLinks };
  const kept = adds ? selectedNodes : none;
  const step = bandStep({ kind: 'band', pointerId, device, at: start, from, kept, before }, input, context);
  return adds ? step : { ...step, moment: { selectedNodes: none, ...step.moment, selectedLinks: none } };
}

/** What a click leaves selected. Adding to the selection what is in it takes it out. */
function clicked({ target, adds, wasSelected }: Press, { moment }: ToolContext): Partial<CanvasMoment> {
  if (target === null) return adds ? {} : { selectedNodes: none, selectedLinks: none };
  if (target.kind === 'link') {
    return adds
      ? { selectedLinks: toggled(moment.selectedLinks, target.id) }
      : { selectedNodes: none, selectedLinks: new Set([target.id]) };
  }
  if (!wasSelected) return {};
  return adds ? { selectedNodes: toggled(moment.selectedNodes, target.id) } : { selectedNodes: new Set([target.id]), selectedLinks: none };
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

const none: ReadonlySet<string> = new Set();
