/** The maximum of matches with dimming: with more, dimming does not help. */
const maxFound = 500;

/** Whether a search has found cards, and few enough to dim all others. */
export function dimsOthers(matches: ReadonlySet<string> | null): matches is ReadonlySet<string> {
  return matches !== null && matches.size > 0 && matches.size <= maxFound;
}
