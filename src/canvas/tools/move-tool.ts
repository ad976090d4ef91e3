import type { CanvasDocument } from '../../../contract/canvas.ts';
import { toWorld } from '../geometry/camera.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

/**
 * Drags cards: shown by `drag` while it lasts, one `node.move` on release. The preview stays after the release, until the
 * document has followed. A run that starts meanwhile ends it without trace. W4.12
 */
export function moveStep(tool: Extract<Tool, { kind: 'move' }>, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  if (!context.editable) return { tool: idle, moment: { drag: null } };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const world = toWorld(context.moment.camera, input.at);
      const dx = world.x - tool.origin.x;
      const dy = world.y - tool.origin.y;
      return { tool: { ...tool, at: input.at }, moment: { hover: null, drag: { nodeIds: tool.nodeIds, dx, dy } } };
    }
    case 'up':
      return dropped(context);
    case 'cancel':
      return { tool: idle, moment: { drag: null } };
  }
}

function dropped({ moment: { drag }, document }: ToolContext): Step {
  if (!drag || (drag.dx === 0 && drag.dy === 0)) return { tool: idle, moment: { drag: null } };
  const moves = movesBy(document, drag.nodeIds, drag.dx, drag.dy);
  if (moves.length === 0) return { tool: idle, moment: { drag: null } };
  return { tool: idle, command: { type: 'node.move', moves } };
}

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
