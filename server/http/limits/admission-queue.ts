import { ApiError } from '../api-error.ts';

export type AdmissionLimits = {
  /** Calls that run at the same time. */
  atOnce: number;
  /** Calls that wait for their turn. */
  maxWaiting: number;
  /** Calls of one account, including those that wait. */
  maxPerAccount: number;
};

const retryAfterSeconds = 2;

/** Runs few costly calls at the same time, first come, first served. A waiting call holds no other resource. */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #byAccount = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Throws `too_many_requests` when the account has too many calls here, and `busy` when too many of all accounts wait. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= this.#limits.maxPerAccount) throw new ApiError('too_many_requests', { retryAfterSeconds });
    if (this.#waiting.length >= this.#limits.maxWaiting) throw new ApiError('busy', { retryAfterSeconds });
    this.#byAccount.set(account, own + 1);
    if (this.#working < this.#limits.atOnce) this.#working += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const left = (this.#byAccount.get(account) ?? 1) - 1;
      if (left === 0) this.#byAccount.delete(account);
      else this.#byAccount.set(account, left);
      const next = this.#waiting.shift();
      // The next call inherits the place.
      if (next) next();
      else this.#working -= 1;
    }
  }
}
