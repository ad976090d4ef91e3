/** ms after closing: the window has faded out by then. W2.19 */
const resetAfterMs = 300;

/** Calls `reset` 300 ms from now, and returns what is called when the window opens again: one that opens sooner begins anew too. */
export function resetAfterClosing(reset: () => void): () => void {
  let waits = true;
  const timer = setTimeout(() => {
    waits = false;
    reset();
  }, resetAfterMs);
  return () => {
    clearTimeout(timer);
    if (waits) reset();
  };
}
