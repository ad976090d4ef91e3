import { FairQueue, type QueueSlot } from '../fair-queue.ts';

/** Child processes at the same time: those that have just begun, and those that have run longer. */
const usualPlaces = { quick: 2, slow: 2 };
/** How long a process keeps a quick place (ms). Most have ended by then. */
const quickMs = 2_000;

/** Calls back once; the returned function ends the wait. */
type StartTimer = (onEnd: () => void) => () => void;

const startUsualTimer: StartTimer = (onEnd) => {
  const timer = setTimeout(onEnd, quickMs);
  return () => clearTimeout(timer);
};

/**
 * Places of child processes that need processor time and memory. Accounts take turns, and each has one place of a kind. A process begins in the
 * quick lane. One that runs longer moves to the slow lane. Where that is full it is ended, and begins anew in its turn there: so a few slow
 * processes never hold the quick places.
 */
export class ProcessLanes {
  readonly #quick: FairQueue;
  readonly #slow: FairQueue;
  readonly #startTimer: StartTimer;

  constructor(places: { quick: number; slow: number } = usualPlaces, startTimer: StartTimer = startUsualTimer) {
    this.#quick = new FairQueue({ inTotal: places.quick, ofAccount: 1 });
    this.#slow = new FairQueue({ inTotal: places.slow, ofAccount: 1 });
    this.#startTimer = startTimer;
  }

  /**
   * Runs work that starts a process, and ends it when its signal aborts. The work may be run twice: it must have no effect but its result. Rejects
   * with the reason of `signal` when that aborts.
   */
  async run<T>(account: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const given = signal ?? new AbortController().signal;
    let place = await this.#quick.admit(account, { signal: given });
    const displaced = new AbortController();
    const stopTimer = this.#startTimer(() => {
      const slow = this.#slowPlace(account);
      if (slow === null) return displaced.abort(new Error('The process leaves its place to others.'));
      place.release();
      place = slow;
    });
    try {
      return await work(AbortSignal.any([given, displaced.signal]));
    } catch (error) {
      if (!displaced.signal.aborted || given.aborted) throw error;
    } finally {
      stopTimer();
      place.release();
    }
    const slow = await this.#slow.admit(account, { signal: given });
    try {
      return await work(given);
    } finally {
      slow.release();
    }
  }

  /** Returns a slow place, or null where none is free. */
  #slowPlace(account: string): QueueSlot | null {
    const taken: QueueSlot[] = [];
    this.#slow.enter(account, 1, (place) => taken.push(place)).leave();
    return taken[0] ?? null;
  }
}
