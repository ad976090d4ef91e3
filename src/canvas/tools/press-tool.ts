import { withContents } from '../../model/document/annotations.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { toggleFolds } from '../folding/fold-changes.ts';
import { linksBehind } from '../folding/folded-records.ts';
import { type Point, type Rect, toWorld } from '../geometry/camera.ts';
import { unionBox } from '../geometry/document-bounds.ts';
import { linkEnd } from '../geometry/link-end.ts';
import { linkStep, redraw } from './link-tool.ts';
import { marqueeStep } from './marquee-tool.ts';
import { moveStep } from './move-tool.ts';
import { panStep } from './pan-tool.ts';
import { selectPressed } from './select-pressed.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Press = Extract<Tool, { kind: 'press' }>;

/** CSS px that a pointer may move during a click. */
const clickSlack = { mouse: 3, pen: 5, touch: 8 } as const;

/** A press that can still become a click, a drag of cards or a pan. */
export function pressStep(tool: Press, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move':
      return hasMoved(tool, input) ? drag(tool, input, context) : { tool };
    case 'up':
      return { tool: idle, ephemeral: clicked(tool, context) };
    case 'cancel':
      return { tool: idle };
  }
}

function hasMoved({ start }: Press, { at, device }: PointerInput): boolean {
  return Math.hypot(at.x - start.x, at.y - start.y) > clickSlack[device];
}

function drag(tool: Press, input: PointerInput, context: ToolContext): Step {
  const { pointerId, device, start, target } = tool;
  const redrawn = target?.kind === 'link' && context.editable ? redrawnEnd(target.id, start, context) : null;
  const link = redrawn && redraw({ pointerId, device, at: start }, redrawn, context);
  if (link) return linkStep(link, input, context);
  if (target?.kind !== 'node' && context.canSelectByMarquee && (tool.adds || context.ephemeral.mode === 'select'))
    return startMarquee(tool, input, context);
  if (target?.kind !== 'node' || !context.editable) {
    return panStep({ kind: 'pan', pointerId, device, at: start }, input, context);
  }
  const taken = context.ephemeral.selectedNodes.has(target.id) ? context.ephemeral.selectedNodes : new Set([target.id]);
  const nodeIds = withContents(context.document.nodes, taken);
  const origin = toWorld(context.ephemeral.camera, start);
  const { x, y } = context.document.nodes[target.id] ?? origin;
  const box = boxOf(nodeIds, context) ?? { left: x, top: y, right: x, bottom: y };
  const step = moveStep({ kind: 'move', pointerId, device, at: start, origin, nodeIds, grip: { x, y }, box }, input, context);
  if (device !== 'touch' || tool.wasSelected) return step;
  return { ...step, ephemeral: { ...selectPressed(target.id, tool.adds, context.ephemeral), ...step.ephemeral } };
}

/** A drag of the only selected link takes the end that is nearer. D2.03 */
function redrawnEnd(id: string, start: Point, { ephemeral, index }: ToolContext): { id: string; end: 'from' | 'to' } | null {
  const { selectedLinks, selectedNodes, camera } = ephemeral;
  const link = index.links.get(id);
  if (!link || !selectedLinks.has(id) || selectedLinks.size + selectedNodes.size > 1) return null;
  const [from, to] = [index.nodes.get(link.from.agentId), index.nodes.get(link.to.agentId)];
  if (!from || !to) return null;
  const at = toWorld(camera, start);
  const distance = ({ x, y }: Point) => Math.hypot(x - at.x, y - at.y);
  return { id, end: distance(linkEnd(from, 'out')) < distance(linkEnd(to, 'in')) ? 'from' : 'to' };
}

/** The box round some cards, world px. */
function boxOf(nodeIds: Iterable<string>, { index }: ToolContext): Rect | null {
  let box: Rect | null = null;
  for (const id of nodeIds) {
    const slot = index.nodes.slotOf(id);
    if (slot !== undefined) box = unionBox(box, index.nodes.box(slot));
  }
  return box;
}

/** Without Shift a marquee starts with an empty selection. */
function startMarquee({ pointerId, device, start, adds }: Press, input: PointerInput, context: ToolContext): Step {
  const { selectedNodes, selectedLinks, camera } = context.ephemeral;
  const from = toWorld(camera, start);
  const before = { selectedNodes, selectedLinks };
  const kept = adds ? selectedNodes : none;
  const step = marqueeStep({ kind: 'marquee', pointerId, device, at: start, from, kept, before }, input, context);
  return adds ? step : { ...step, ephemeral: { selectedNodes: none, ...step.ephemeral, selectedLinks: none } };
}

/** The selection after a click. With Shift or Ctrl a click toggles. */
function clicked({ target, adds, wasSelected, device }: Press, { ephemeral, index }: ToolContext): Partial<EphemeralState> {
  if (target === null) return adds ? {} : { selectedNodes: none, selectedLinks: none };
  if (target.kind === 'link') {
    const line = index.links.get(target.id);
    const ids = line ? linksBehind(line) : [target.id];
    return adds ? { selectedLinks: toggled(ephemeral.selectedLinks, ids) } : { selectedNodes: none, selectedLinks: new Set(ids) };
  }
  if (target.kind === 'node' && target.part === 'foldSign') return { folded: toggleFolds(ephemeral.folded, new Set([target.id])) };
  if (!wasSelected) return device === 'touch' ? selectPressed(target.id, adds, ephemeral) : {};
  return adds
    ? { selectedNodes: toggled(ephemeral.selectedNodes, [target.id]) }
    : { selectedNodes: new Set([target.id]), selectedLinks: none };
}

function toggled(ids: ReadonlySet<string>, toggledIds: readonly string[]): ReadonlySet<string> {
  const next = new Set(ids);
  const removes = toggledIds.every((id) => ids.has(id));
  for (const id of toggledIds) {
    if (removes) next.delete(id);
    else next.add(id);
  }
  return next;
}

const none: ReadonlySet<string> = new Set();
