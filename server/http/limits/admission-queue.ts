import { ApiError } from '../api-error.ts';

export type AdmissionLimits = {
  /** Calls that run at the same time. */
  atOnce: number;
  /** Calls of one account that run at the same time; as many as of all without it. */
  atOncePerAccount?: number;
  /** Calls that wait for their turn. */
  maxWaiting: number;
  /** The calls of one account, including waiting ones. */
  maxPerAccount: number;
};

type Account = { running: number; waiting: (() => void)[] };

const retryAfterSeconds = 2;

/**
 * Runs few costly calls at the same time. Accounts take turns, and calls of one account run in the order of their arrival. A waiting call
 * holds no other resource.
 */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  /** The accounts with calls in this queue. The most recently served account is the last of the waiting ones. */
  readonly #accounts = new Map<string, Account>();
  #running = 0;
  #waiting = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Throws `too_many_requests` when the account has too many calls here, and `busy` when too many of all accounts wait. */
  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const account = this.#accounts.get(id) ?? { running: 0, waiting: [] };
    if (account.running + account.waiting.length >= this.#limits.maxPerAccount)
      throw new ApiError('too_many_requests', { retryAfterSeconds });
    if (this.#waiting >= this.#limits.maxWaiting) throw new ApiError('busy', { retryAfterSeconds });
    this.#accounts.set(id, account);
    if (this.#mayRun(account)) {
      this.#running += 1;
      account.running += 1;
    } else {
      this.#waiting += 1;
      await new Promise<void>((resolve) => account.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.#running -= 1;
      account.running -= 1;
      if (account.running + account.waiting.length === 0) this.#accounts.delete(id);
      this.#startNext();
    }
  }

  #mayRun({ running }: Account): boolean {
    return this.#running < this.#limits.atOnce && running < (this.#limits.atOncePerAccount ?? this.#limits.atOnce);
  }

  #startNext(): void {
    for (const [id, account] of this.#accounts) {
      if (!this.#mayRun(account)) continue;
      const start = account.waiting.shift();
      if (!start) continue;
      this.#accounts.delete(id);
      this.#accounts.set(id, account);
      this.#waiting -= 1;
      this.#running += 1;
      account.running += 1;
      start();
      return;
    }
  }
}
