/** The page's own clock, for functions that take a clock as a parameter. */
export const pageClock = {
  /** Milliseconds since the page was opened. */
  now: () => performance.now(),
  later(ms: number, task: () => void): () => void {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
