/** World px, `x` and `y` the top-left corner. */
type Box = { x: number; y: number; width: number; height: number };
/** Which sides a handle moves: -1 left or top, 1 right or bottom, 0 neither. */
export type Grip = { x: -1 | 0 | 1; y: -1 | 0 | 1 };

/** The minimum size of a note or group, world px. */
const least = { width: 80, height: 60 } as const;

/** Returns a box with the sides of a handle moved by a distance (world px). With a `step` the sides snap to its grid. The minimum is 80 by 60. */
export function resizedBox(box: Box, grip: Grip, moved: { dx: number; dy: number }, step: number | null): Box {
  const across = span(box.x, box.width, grip.x, moved.dx, least.width, step);
  const down = span(box.y, box.height, grip.y, moved.dy, least.height, step);
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

function span(from: number, length: number, grip: -1 | 0 | 1, moved: number, shortest: number, step: number | null) {
  if (grip === 0) return { from, length };
  const far = from + length;
  const edge = onGrid((grip === 1 ? far : from) + moved, step);
  if (grip === 1) return { from, length: Math.max(shortest, edge - from) };
  const near = Math.min(edge, far - shortest);
  return { from: near, length: far - near };
}

function onGrid(value: number, step: number | null): number {
  return step === null ? Math.round(value) : Math.round(value / step) * step;
}
