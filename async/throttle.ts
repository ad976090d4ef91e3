type ThrottleOptions = {
  /** The shortest time between two runs. */
  ms: number;
  /** With calls at long intervals, runs the task for every n-th call only. Needs `now`. */
  everyCalls?: number;
  /** Whether the first call after a pause runs the task at once; else it runs `ms` later. */
  leading?: boolean;
  /** Whether calls during a pause run the task once at its end; else they are dropped. */
  trailing?: boolean;
  /** Milliseconds since any fixed moment. */
  now?: () => number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  later: (ms: number, task: () => void) => () => void;
};

export type Throttled = {
  (): void;
  /** Runs a pending call at once and ends the pause. */
  flush(): void;
  /** Drops a pending call and ends the pause. */
  cancel(): void;
};

/** Calls farther apart than this are independent of each other. */
const maxGapMs = 400;

/**
 * Returns a function that runs `task` at most once every `ms`, however often it is called. The pause begins before the task runs, so
 * that a timer which the task sets ends after it.
 */
export function throttle(
  task: () => void,
  { ms, everyCalls = 0, leading = true, trailing = true, now = () => 0, later }: ThrottleOptions,
): Throttled {
  let cancelPause: (() => void) | null = null;
  let isDue = false;
  let calledAt = Number.NEGATIVE_INFINITY;
  let gap = 0;

  function pause(): void {
    cancelPause = later(Math.max(ms, gap * everyCalls), () => {
      cancelPause = null;
      runDue();
    });
  }

  function runDue(): void {
    if (!isDue) return;
    isDue = false;
    if (leading) pause();
    task();
  }

  function call(): void {
    const at = now();
    gap = at - calledAt < maxGapMs ? at - calledAt : 0;
    calledAt = at;
    if (cancelPause) {
      isDue ||= trailing;
      return;
    }
    isDue = !leading;
    pause();
    if (leading) task();
  }

  function endPause(): void {
    cancelPause?.();
    cancelPause = null;
  }

  return Object.assign(call, {
    flush() {
      endPause();
      runDue();
    },
    cancel() {
      endPause();
      isDue = false;
    },
  });
}
