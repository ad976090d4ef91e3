/** With more cards found than this a search tells nothing apart, and nothing is dimmed. */
const mostFound = 500;

/** Whether a search under way has found cards, and so few that all others step back. */
export function dimsOthers(matches: ReadonlySet<string> | null): matches is ReadonlySet<string> {
  return matches !== null && matches.size > 0 && matches.size <= mostFound;
}
