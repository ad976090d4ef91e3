import { FairQueue, QueueFull } from '../../platform/fair-queue.ts';
import { ApiError } from '../api-error.ts';

type AdmissionLimits = {
  /** Calls that run at the same time. */
  atOnce: number;
  /** Calls of one account that run at the same time; as many as of all without it. */
  atOncePerAccount?: number;
  /** Calls of each account that run even when those of others take every place. */
  atOnceOfEach?: number;
  /** Calls that wait for their turn. */
  maxWaiting: number;
  /** The calls of one account, including waiting ones. */
  maxPerAccount: number;
};

const retryAfterSeconds = 2;

/** Runs few costly calls at the same time, in the turns of a `FairQueue`. A waiting call holds no other resource. */
export class AdmissionQueue {
  readonly #queue: FairQueue;

  constructor({ atOnce, atOncePerAccount = atOnce, atOnceOfEach = 0, maxWaiting, maxPerAccount }: AdmissionLimits) {
    this.#queue = new FairQueue({
      inTotal: atOnce,
      ofAccount: atOncePerAccount,
      ofEachAccount: atOnceOfEach,
      maxWaiting,
      maxCallsOfAccount: maxPerAccount,
    });
  }

  /**
   * Throws `too_many_requests` when the account has too many calls here, and `busy` when too many of all accounts wait. A call whose signal aborts
   * while it waits is not run, and throws the signal's reason.
   */
  async run<T>(id: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const place = await this.#queue.admit(id, signal && { signal }).catch((error: unknown) => {
      throw error instanceof QueueFull ? new ApiError(codes[error.of], { retryAfterSeconds }) : error;
    });
    try {
      return await work();
    } finally {
      place.release();
    }
  }
}

const codes = { account: 'too_many_requests', all: 'busy' } as const;
