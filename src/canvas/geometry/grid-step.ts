/** World px between the grid's dots at zoom 1. W2.05 */
export const gridSize = 20;
/** Dots closer than this on the screen (CSS px) become noise. */
const minGapOnScreen = 12;

/** World px between dots at a zoom: the grid's size, doubled until dots stand apart on the screen. */
export function gridStep(zoom: number): number {
  let step = gridSize;
  while (step * zoom < minGapOnScreen) step *= 2;
  return step;
}

/** The place on the grid that is nearest to one, world px. */
export function toGrid(place: number): number {
  return Math.round(place / gridSize) * gridSize;
}
