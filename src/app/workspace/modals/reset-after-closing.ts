/** The time after closing until the window has faded out (ms). W2.19 */
const resetAfterMs = 300;

/** Calls `reset` after 300 ms. Returns a function to call when the window opens again: it resets at once. */
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
