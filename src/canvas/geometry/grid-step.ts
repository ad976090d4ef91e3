/** World px between the grid's dots at zoom 1. W2.05 */
export const gridSize = 20;
/** The minimum distance between dots on the screen, CSS px. */
const minGapOnScreen = 12;

/** World px between dots at a zoom: the grid's size, doubled until dots stand apart on the screen. */
export function gridStep(zoom: number): number {
  let step = gridSize;
  while (step * zoom < minGapOnScreen) step *= 2;
  return step;
}

/** Snaps a coordinate to the nearest grid line, world px. */
export function toGrid(place: number): number {
  return Math.round(place / gridSize) * gridSize;
}
