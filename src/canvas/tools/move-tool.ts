import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isAgentOrPerson } from '../../../rules/card.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { toWorld, visibleWorld } from '../geometry/camera.ts';
import { type Guide, type Snapped, snap } from '../geometry/snap.ts';
import { linkUnderCard } from '../link-under-card.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Move = Extract<Tool, { kind: 'move' }>;

/** CSS px within which a card's edge or middle snaps to a neighbour's. */
const snapReach = 6;

/**
 * Drags cards, or copies of them: `drag` shows the preview, and the release sends one command. The preview stays after the release
 * until the document has changed. A run that starts meanwhile cancels the drag. W4.12
 */
export function moveStep(tool: Move, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  if (!context.editable) return { tool: idle, ephemeral: noDrag };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const world = toWorld(context.ephemeral.camera, input.at);
      const moved = { dx: world.x - tool.origin.x, dy: world.y - tool.origin.y };
      const { dx, dy, guides } = input.free ? { ...moved, guides: noGuides } : snapped(moved, tool, context);
      const drag = { nodeIds: tool.nodeIds, dx, dy, copies: input.copies };
      const link = linkUnder(drag, context);
      const hover = link === null ? null : ({ kind: 'link', id: link } as const);
      return { tool: { ...tool, at: input.at }, ephemeral: { hover, drag, guides: guides.length > 0 ? guides : noGuides } };
    }
    case 'up':
      return dropped(context);
    case 'cancel':
      return { tool: idle, ephemeral: noDrag };
  }
}

function snapped(moved: { dx: number; dy: number }, { nodeIds, grip, box }: Move, { ephemeral, index }: ToolContext): Snapped {
  const { camera, size, snaps } = ephemeral;
  const shown = visibleWorld(camera, size);
  return snap(moved, { box, grip, cards: index.nodes, dragged: nodeIds, shown, reach: snapReach / camera.zoom, grid: snaps });
}

/** Returns the link that a card would be put into: the card is dragged alone, has no links, and its middle lies on the link. D2.02 */
function linkUnder({ nodeIds, dx, dy, copies }: NonNullable<EphemeralState['drag']>, { document, index }: ToolContext): string | null {
  const [id = ''] = nodeIds;
  const node = document.nodes[id];
  if (copies || nodeIds.size !== 1 || !isAgentOrPerson(node) || index.linksOf(id).length > 0) return null;
  const { width, height } = nodeSize(node);
  return linkUnderCard(index, { x: node.x + dx + width / 2, y: node.y + dy + height / 2 });
}

function dropped(context: ToolContext): Step {
  const { ephemeral, document } = context;
  const { drag } = ephemeral;
  if (!drag || (drag.dx === 0 && drag.dy === 0)) return { tool: idle, ephemeral: noDrag };
  const { nodeIds, dx, dy, copies } = drag;
  const kept = { guides: noGuides, hover: null };
  if (copies) return { tool: idle, ephemeral: kept, command: { type: 'nodes.duplicate', nodeIds: [...nodeIds], dx, dy } };
  const moves = movesBy(document, nodeIds, dx, dy);
  const [only] = moves;
  if (!only) return { tool: idle, ephemeral: noDrag };
  const linkId = linkUnder(drag, context);
  return {
    tool: idle,
    ephemeral: kept,
    command: linkId === null ? { type: 'node.move', moves } : { type: 'node.insert', ...only, linkId },
  };
}

const noGuides: readonly Guide[] = [];
/** The state without a drag. */
export const noDrag = { drag: null, guides: noGuides } as const;

/** The new places of cards moved by a distance (world px); removed cards are left out. */
export function movesBy(
  document: CanvasDocument,
  nodeIds: Iterable<string>,
  dx: number,
  dy: number,
): { id: string; x: number; y: number }[] {
  const moves = [];
  for (const id of nodeIds) {
    const node = document.nodes[id];
    if (node) moves.push({ id, x: node.x + dx, y: node.y + dy });
  }
  return moves;
}
