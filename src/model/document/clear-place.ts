import type { Box } from './annotations.ts';
import type { Point } from './auto-placement.ts';

/** World px between a pasted card and the others. */
const gap = 20;
/** Steps in one direction before it is given up. */
const maxSteps = 1_000;

/** The directions in which a block moves aside, the preferred one first. */
const ways = [
  (block: Box, { x, width }: Box) => ({ ...block, x: x + width + gap }),
  (block: Box, { y, height }: Box) => ({ ...block, y: y + height + gap }),
  (block: Box, { x }: Box) => ({ ...block, x: x - gap - block.width }),
  (block: Box, { y }: Box) => ({ ...block, y: y - gap - block.height }),
];

/** Returns how far a block of new cards moves to lie clear of the cards that are there: the shortest way right, down, left or up. */
export function clearShift(block: Box, others: readonly Box[]): Point {
  if (!others.some((other) => overlaps(block, other))) return { x: 0, y: 0 };
  const shifts = ways.flatMap((aside) => {
    let moved = block;
    for (let step = 0; step < maxSteps; step += 1) {
      const hit = others.find((other) => overlaps(moved, other));
      if (!hit) return [{ x: moved.x - block.x, y: moved.y - block.y }];
      moved = aside(moved, hit);
    }
    return [];
  });
  const far = ({ x, y }: Point) => Math.abs(x) + Math.abs(y);
  return shifts.reduce((best, shift) => (far(shift) < far(best) ? shift : best), shifts[0] ?? { x: 0, y: 0 });
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;
}
