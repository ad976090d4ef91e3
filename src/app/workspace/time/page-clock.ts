/** The page's own time, for what takes a clock as a parameter. */
export const pageClock = {
  /** Milliseconds since the page was opened. */
  now: () => performance.now(),
  later(ms: number, task: () => void): () => void {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
