import type { CanvasNode } from '../../../contract/canvas.ts';
import { type Box, boxOf } from '../document/annotations.ts';

/** The longest distance of a note from the node that it belongs to (world px). */
const reach = 200;

/** Returns each note's nearest node or group, unless all are too far away. Among several, the upper and then the left one. */
export function noteSides(notes: readonly CanvasNode[], others: readonly CanvasNode[]): Map<string, CanvasNode[]> {
  const boxes = others.map((node) => ({ node, box: boxOf(node) })).sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  const sides = new Map<string, CanvasNode[]>();
  for (const note of notes) {
    const own = boxOf(note);
    let nearest: CanvasNode | null = null;
    let least = reach;
    for (const { node, box } of boxes) {
      const far = gap(own, box);
      if (far >= least) continue;
      nearest = node;
      least = far;
    }
    if (nearest) sides.set(nearest.id, [...(sides.get(nearest.id) ?? []), note]);
  }
  return sides;
}

/**
 * Returns the offset of a note from a node whose size has changed: the same distance from the same side. The side follows from the
 * note's centre, which also decides its group: a growing group does not take in a note across its edge.
 */
export function noteOffset(note: Box, before: Box, size: { width: number; height: number }): { x: number; y: number } {
  const along = (at: number, own: number, from: number, length: number, now: number) =>
    at + own / 2 > from + length ? at - from - length + now : at - from;
  return {
    x: along(note.x, note.width, before.x, before.width, size.width),
    y: along(note.y, note.height, before.y, before.height, size.height),
  };
}

function gap(a: Box, b: Box): number {
  const across = Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width);
  const down = Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height);
  return Math.hypot(across, down);
}
