import { refreshEveryMs } from '../../contract/refresh-interval.ts';

/** The pauses before retries of a refresh with a transient failure (ms). The last one repeats. R20 */
export const refreshRetriesMs = [5_000, 15_000, 60_000, 300_000];

type Timers = { setTimer: (run: () => void, ms: number) => number; clearTimer: (timer: number) => void };

/** Calls `refresh` at a regular interval, and after failures with growing pauses. */
export class RefreshSchedule {
  readonly #timers: Timers;
  readonly #refresh: () => void;
  #timer: number | null = null;
  #failures = 0;

  constructor(timers: Timers, refresh: () => void) {
    this.#timers = timers;
    this.#refresh = refresh;
  }

  get isRunning(): boolean {
    return this.#timer !== null;
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  start(): void {
    this.#wait(refreshEveryMs);
  }

  stop(): void {
    if (this.#timer !== null) this.#timers.clearTimer(this.#timer);
    this.#timer = null;
  }

  forgetFailures(): void {
    this.#failures = 0;
  }

  /** Called when there are new tokens. */
  restart(): void {
    this.forgetFailures();
    this.start();
  }

  noteFailure(willRetry: boolean): void {
    this.#failures += 1;
    if (willRetry) this.#wait(refreshRetriesMs[Math.min(this.#failures, refreshRetriesMs.length) - 1] as number);
    else this.stop();
  }

  #wait(ms: number): void {
    this.stop();
    this.#timer = this.#timers.setTimer(this.#refresh, ms);
  }
}
