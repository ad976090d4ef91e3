import { refreshEveryMs } from '../../contract/refresh-interval.ts';

/** The pauses before retries of a refresh with a transient failure (ms). The last one repeats. R20 */
export const refreshRetriesMs = [5_000, 15_000, 60_000, 300_000];

type Timers = { setTimer: (run: () => void, ms: number) => number; clearTimer: (timer: number) => void };

/** Calls `refresh` at a regular interval, and after failures with growing pauses. */
export function createRefreshSchedule({ setTimer, clearTimer }: Timers, refresh: () => void) {
  let timer: number | null = null;
  let failures = 0;
  const stop = () => {
    if (timer !== null) clearTimer(timer);
    timer = null;
  };
  const wait = (ms: number) => {
    stop();
    timer = setTimer(refresh, ms);
  };
  const start = () => wait(refreshEveryMs);
  const forgetFailures = () => {
    failures = 0;
  };
  return {
    get isRunning() {
      return timer !== null;
    },
    get hasFailed() {
      return failures > 0;
    },
    start,
    stop,
    forgetFailures,
    /** Called when there are new tokens. */
    restart() {
      forgetFailures();
      start();
    },
    noteFailure(willRetry: boolean) {
      failures += 1;
      if (willRetry) wait(refreshRetriesMs[Math.min(failures, refreshRetriesMs.length) - 1] as number);
      else stop();
    },
  };
}
