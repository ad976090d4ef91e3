/**
 * Passes the newest value at most once every `intervalMs`: the first at once, and the last one always, unless `stop` is
 * called first.
 */
export function throttle<T>(intervalMs: number, pass: (value: T) => void) {
  let timer: NodeJS.Timeout | null = null;
  let waiting: { value: T } | null = null;

  const turn = () => {
    timer = null;
    if (waiting === null) return;
    const { value } = waiting;
    waiting = null;
    timer = setTimeout(turn, intervalMs);
    pass(value);
  };
  return {
    offer(value: T) {
      waiting = { value };
      if (timer === null) turn();
    },
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
      waiting = null;
    },
  };
}
