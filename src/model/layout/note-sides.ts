import type { CanvasNode } from '../../../contract/canvas.ts';
import { type Box, boxOf } from '../document/annotations.ts';

/** World px up to which a note belongs to what it stands by. */
const reach = 200;

/** Each note with the card or group nearest to it, unless all are too far away: then it stands for itself. The upper and then the left one, among several. */
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
 * Where a note stands from the corner of what it is beside, when that has changed its size: as far from the same side. It is told by the
 * note's middle, which says what it lies in: a group that grows takes no note in that only lay across its edge.
 */
export function besideAt(note: Box, before: Box, size: { width: number; height: number }): { x: number; y: number } {
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
