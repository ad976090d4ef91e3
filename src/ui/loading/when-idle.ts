/** The latest time of the task if the browser is never idle (ms). */
const latestMs = 1_000;

/** Runs a task when the browser is idle. Returns the function that cancels it. Safari has no idle callbacks. */
export function whenIdle(action: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(action, { timeout: latestMs });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(action, 200);
  return () => clearTimeout(timer);
}

/** Runs a task once when the browser is idle, however often it was scheduled before. */
export function onceWhenIdle(action: () => void): { schedule: () => void; cancel: () => void } {
  let cancelTask: (() => void) | null = null;
  return {
    schedule() {
      cancelTask ??= whenIdle(() => {
        cancelTask = null;
        action();
      });
    },
    cancel() {
      cancelTask?.();
      cancelTask = null;
    },
  };
}
