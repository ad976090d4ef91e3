/** A timer that stands still while it is paused. */
type PausableTimer = {
  pause: (isPaused: boolean) => void;
  /** Returns what is left (ms). */
  leftMs: () => number;
  stop: () => void;
};

/** Calls `onEnd` once `ms` have passed, without the time in pauses. */
export function startPausableTimer(ms: number, onEnd: () => void): PausableTimer {
  let leftMs = ms;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | null = setTimeout(onEnd, leftMs);
  const halt = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const left = () => (timer === null ? leftMs : Math.max(0, leftMs - (performance.now() - startedAt)));
  return {
    leftMs: left,
    pause(isPaused) {
      if (isPaused === (timer === null)) return;
      if (isPaused) {
        leftMs = left();
        halt();
      } else {
        startedAt = performance.now();
        timer = setTimeout(onEnd, leftMs);
      }
    },
    stop: halt,
  };
}
