/** The runs shown at first and added by each press; the maximum, beside the canvas and in the console. W9.02 */
export const pageSize = 10;
const maxShown = { panel: 50, console: 100 };
/** A second press within this time is ignored. W9.02 */
const moreLockedForMs = 500;

type HistoryPage = {
  shown: number;
  /** The number of runs that one press adds. */
  more: number;
  /** The maximum of shown runs when more were found; null when all can be shown. */
  max: number | null;
};

/** Returns how many of the found runs are shown after `wanted` were requested. */
export function historyPage(found: number, wanted: number, place: keyof typeof maxShown): HistoryPage {
  const max = Math.min(found, maxShown[place]);
  const shown = Math.min(wanted, max);
  return { shown, more: Math.min(pageSize, max - shown), max: max < found ? max : null };
}

/** Returns the function that tells whether a press counts: one shortly after another does not. `now` in ms. */
export function pressCounter(now: () => number): () => boolean {
  let lockedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < lockedUntil) return false;
    lockedUntil = now() + moreLockedForMs;
    return true;
  };
}
