import type { CanvasDocument } from '../../../contract/canvas.ts';
import { toWorld, visibleWorld } from '../geometry/camera.ts';
import { type Guide, type Snapped, snap } from '../geometry/snap.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Move = Extract<Tool, { kind: 'move' }>;

/** CSS px from which a card's edge or middle is drawn to a neighbour's. */
const snapReach = 6;

/**
 * Drags cards, or copies of them: shown by `drag` while it lasts, one command on release. The preview stays after the release,
 * until the document has followed. A run that starts meanwhile ends it without trace. W4.12
 */
export function moveStep(tool: Move, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  if (!context.editable) return { tool: idle, moment: noDrag };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const world = toWorld(context.moment.camera, input.at);
      const moved = { dx: world.x - tool.origin.x, dy: world.y - tool.origin.y };
      const { dx, dy, guides } = input.free ? { ...moved, guides: noGuides } : snapped(moved, tool, context);
      const drag = { nodeIds: tool.nodeIds, dx, dy, copies: input.copies };
      return { tool: { ...tool, at: input.at }, moment: { hover: null, drag, guides: guides.length > 0 ? guides : noGuides } };
    }
    case 'up':
      return dropped(context);
    case 'cancel':
      return { tool: idle, moment: noDrag };
  }
}

function snapped(moved: { dx: number; dy: number }, { nodeIds, grip, box }: Move, { moment, index }: ToolContext): Snapped {
  const { camera, size, snaps } = moment;
  const shown = visibleWorld(camera, size);
  return snap(moved, { box, grip, cards: index.nodes, dragged: nodeIds, shown, reach: snapReach / camera.zoom, grid: snaps });
}

function dropped({ moment: { drag }, document }: ToolContext): Step {
  if (!drag || (drag.dx === 0 && drag.dy === 0)) return { tool: idle, moment: noDrag };
  const { nodeIds, dx, dy, copies } = drag;
  const moment = { guides: noGuides };
  if (copies) return { tool: idle, moment, command: { type: 'nodes.duplicate', nodeIds: [...nodeIds], dx, dy } };
  const moves = movesBy(document, nodeIds, dx, dy);
  if (moves.length === 0) return { tool: idle, moment: noDrag };
  return { tool: idle, moment, command: { type: 'node.move', moves } };
}

const noGuides: readonly Guide[] = [];
/** What the moment is without a drag. */
export const noDrag = { drag: null, guides: noGuides } as const;

/** Where cards come to lie that are moved by a distance (world px); cards that are gone are left out. */
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
