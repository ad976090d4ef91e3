import type { DocumentCommand } from '../../model/commands.ts';
import { isCard, isFolded } from '../folding/folded-records.ts';
import { toWorld } from '../geometry/camera.ts';
import { linkEnd } from '../geometry/link-end.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type LinkTool = Extract<Tool, { kind: 'link' }>;

/** The distance at which a port draws the end of a link to itself (CSS px). */
const snapReach = 24;

/**
 * Draws a link from an out port, or an end of a link to another card. A release over any part of a card links it, and so does one near its
 * port; on an empty place it opens a menu for a new link, and leaves a link that is there as it was. A release over the card's own in port
 * sends the command too, so that the engine can say why it refuses. A release over a folded group asks which of its cards is meant. After a release over a card the draft stays until the document has
 * changed. W4.11 D2.01
 */
export function linkStep(tool: LinkTool, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  const cancelled: Step = { tool: idle, ephemeral: { linkDraft: null } };
  if (!context.editable || !context.document.nodes[tool.from]) return cancelled;
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const { x, y } = toWorld(context.ephemeral.camera, input.at);
      const over = endAt(tool, input, context);
      const isBackwards = tool.redrawn?.end === 'from';
      return {
        tool: { ...tool, at: input.at, hasMoved: true },
        ephemeral: {
          linkDraft: { from: tool.from, x, y, over: over === tool.from ? null : over, ...(isBackwards && { isBackwards }) },
        },
      };
    }
    case 'up': {
      const end = endAt(tool, input, context);
      const into = end === null ? null : context.index.nodes.get(end);
      if (into && isFolded(into)) return { tool: idle, drop: { from: tool.from, at: input.at, into: into.id, ...redrawnOf(tool) } };
      if (end !== null) {
        const command = commandFor(tool, end, context);
        return command ? { tool: idle, command } : cancelled;
      }
      if (tool.redrawn || !tool.hasMoved || context.hit(input.at)?.kind === 'node') return cancelled;
      return { tool: idle, drop: { from: tool.from, at: input.at } };
    }
    case 'cancel':
      return cancelled;
  }
}

function redrawnOf({ redrawn }: LinkTool) {
  return redrawn ? { redrawn } : {};
}

/** The command that ends a link at a card; null where the end stays where it is. */
function commandFor(
  { from, redrawn }: Pick<LinkTool, 'from' | 'redrawn'>,
  end: string,
  { document }: Pick<ToolContext, 'document'>,
): DocumentCommand | null {
  if (!redrawn) return { type: 'link.add', from, to: end };
  const link = document.connections[redrawn.id];
  return link && link[redrawn.end].agentId !== end ? { type: 'link.end', id: redrawn.id, end: redrawn.end, nodeId: end } : null;
}

/** Returns the card that the loose end would be at: the one under the pointer, else the one with the nearest port. Its own only over the port. */
function endAt({ from, redrawn }: LinkTool, input: PointerInput, context: ToolContext): string | null {
  const target = context.hit(input.at);
  const port = redrawn?.end === 'from' ? 'out' : 'in';
  if (target?.kind === 'port') return target.id !== from || target.port === port ? target.id : null;
  if (target?.kind === 'node') {
    const node = context.index.nodes.get(target.id);
    if (node && isCard(node)) return target.id === from ? null : target.id;
  }
  return nearestPort(from, port, input, context);
}

function nearestPort(from: string, port: 'in' | 'out', { at }: PointerInput, { ephemeral, index }: ToolContext): string | null {
  const { x, y } = toWorld(ephemeral.camera, at);
  const reach = snapReach / ephemeral.camera.zoom;
  let nearest: { id: string; distance: number } | null = null;
  for (const slot of index.nodes.overlapping({ left: x, top: y, right: x, bottom: y }, reach)) {
    const node = index.nodes.records[slot];
    if (!node || node.id === from || !isCard(node) || isFolded(node)) continue;
    const place = linkEnd(node, port);
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance <= reach && (nearest === null || distance < nearest.distance)) nearest = { id: node.id, distance };
  }
  return nearest?.id ?? null;
}

/** Returns the gesture that draws an end of a link to another card. `id`: the link. */
export function redraw(
  { pointerId, device, at }: Pick<PointerInput, 'pointerId' | 'device' | 'at'>,
  { id, end }: { id: string; end: 'from' | 'to' },
  { document, index }: ToolContext,
): LinkTool | null {
  const fixed = document.connections[id]?.[end === 'to' ? 'from' : 'to'].agentId;
  return fixed === undefined || !index.nodes.get(fixed) ? null : { kind: 'link', pointerId, device, at, from: fixed, redrawn: { id, end } };
}
