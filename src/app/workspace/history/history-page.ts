/** How many runs are shown at first and with each wish for more; how many at most, beside the canvas and in the console. W9.02 */
export const pageSize = 10;
const mostShown = { panel: 50, console: 100 };
/** A second press within so long is not meant. W9.02 */
const moreLockedForMs = 500;

export type HistoryPage = {
  shown: number;
  /** What one wish for more adds. */
  more: number;
  /** The most that are ever shown where more were found; null where all can be. */
  most: number | null;
};

/** How many of the runs that were found are shown, where `wanted` have been asked for. */
export function historyPage(found: number, wanted: number, place: keyof typeof mostShown): HistoryPage {
  const most = Math.min(found, mostShown[place]);
  const shown = Math.min(wanted, most);
  return { shown, more: Math.min(pageSize, most - shown), most: most < found ? most : null };
}

/** Tells of each press of a button whether it counts: one soon after another does not. `now` in ms. */
export function pressCounter(now: () => number): () => boolean {
  let lockedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < lockedUntil) return false;
    lockedUntil = now() + moreLockedForMs;
    return true;
  };
}
