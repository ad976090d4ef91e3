/** What the calls of one account, and those of all accounts, may hold at the same time: places, bytes, or another cost. */
export type FairLimits = {
  inTotal: number;
  ofAccount: number;
  /** What each account may hold even when the calls of others hold everything. None unless set. */
  ofEachAccount?: number;
  /** Calls that wait, of all accounts. Any number unless set. */
  maxWaiting?: number;
  /** Calls of one account, including waiting ones. Any number unless set. */
  maxCallsOfAccount?: number;
};

/** What one call holds. */
export type QueueSlot = {
  /** Adds cost to the call. Returns false and adds none when its account, or all accounts, would hold too much. */
  grow: (cost: number) => boolean;
  /** Gives everything back. Repeated, it does nothing. */
  release: () => void;
};

/** Too many calls wait: of one account, or of all. */
export class QueueFull extends Error {
  readonly of: 'account' | 'all';

  constructor(of: 'account' | 'all') {
    super(`Too many calls wait: of ${of}.`);
    this.of = of;
  }
}

/** A call in the queue. `leave` ends its wait; after its begin it does nothing. */
type Entered = { isWaiting: boolean; leave: () => void };

type Waiting = { cost: number; begin: (place: QueueSlot) => void };
type Account = { held: number; calls: number; waiting: Waiting[] };

/**
 * Admits calls by their cost. Calls of one account begin in the order of their arrival, and accounts take turns. Where all accounts hold too
 * much together, the first call is not overtaken by later ones of accounts that hold their own share already.
 *
 *     const queue = new FairQueue({ inTotal: 4, ofAccount: 2 });
 *     const place = await queue.admit('ann', { signal });
 *     try { await work(); } finally { place.release(); }
 */
export class FairQueue {
  readonly #limits: Required<FairLimits>;
  /** The accounts with calls. The most recently served one is the last. */
  readonly #accounts = new Map<string, Account>();
  #held = 0;
  #waiting = 0;
  /** Whether a call waits for what other accounts hold. */
  #isShort = false;

  constructor(limits: FairLimits) {
    const unlimited = Number.POSITIVE_INFINITY;
    this.#limits = { ofEachAccount: 0, maxWaiting: unlimited, maxCallsOfAccount: unlimited, ...limits };
  }

  /** Resolves when the call may begin. `onWait` is called if it waits. Rejects with `QueueFull`, or with the signal's reason when that aborts first. */
  async admit(
    id: string,
    { cost = 1, signal, onWait }: { cost?: number; signal?: AbortSignal; onWait?: () => void } = {},
  ): Promise<QueueSlot> {
    signal?.throwIfAborted();
    return new Promise<QueueSlot>((resolve, reject) => {
      const abort = () => {
        entered.leave();
        reject(signal?.reason);
      };
      const entered = this.enter(id, cost, (place) => {
        signal?.removeEventListener('abort', abort);
        resolve(place);
      });
      if (!entered.isWaiting) return;
      signal?.addEventListener('abort', abort, { once: true });
      onWait?.();
    });
  }

  /**
   * Calls `begin` at once, or in its turn. Throws `QueueFull`. A call that costs more than its account may hold counts as all of that, and runs
   * alone: it would wait for ever, and the account's later calls behind it.
   */
  enter(id: string, asked: number, begin: (place: QueueSlot) => void): Entered {
    const cost = Math.min(asked, this.#limits.ofAccount, this.#limits.inTotal);
    const account = this.#accounts.get(id) ?? { held: 0, calls: 0, waiting: [] };
    if (account.calls >= this.#limits.maxCallsOfAccount) throw new QueueFull('account');
    if (account.waiting.length === 0 && this.#fits(account, cost, this.#isShort)) {
      account.calls += 1;
      this.#accounts.set(id, account);
      begin(this.#place(id, account, cost));
      return { isWaiting: false, leave: () => {} };
    }
    if (this.#waiting >= this.#limits.maxWaiting) throw new QueueFull('all');
    account.calls += 1;
    this.#accounts.set(id, account);
    const one: Waiting = { cost, begin };
    account.waiting.push(one);
    this.#waiting += 1;
    this.#beginWaiting();
    return { isWaiting: account.waiting.includes(one), leave: () => this.#leave(id, account, one) };
  }

  #leave(id: string, account: Account, one: Waiting): void {
    const at = account.waiting.indexOf(one);
    if (at === -1) return;
    account.waiting.splice(at, 1);
    this.#waiting -= 1;
    this.#endCall(id, account);
    this.#beginWaiting();
  }

  #place(id: string, account: Account, taken: number): QueueSlot {
    let cost = taken;
    let isHeld = true;
    this.#take(account, taken);
    return {
      grow: (more) => {
        if (!isHeld || !this.#fits(account, more, false)) return false;
        this.#take(account, more);
        cost += more;
        return true;
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#take(account, -cost);
        this.#endCall(id, account);
        this.#beginWaiting();
      },
    };
  }

  #take(account: Account, cost: number): void {
    account.held += cost;
    this.#held += cost;
  }

  #endCall(id: string, account: Account): void {
    account.calls -= 1;
    if (account.calls === 0) this.#accounts.delete(id);
  }

  /** Whether the account may hold so much more. `isShort`: calls of others wait, and come first. */
  #fits({ held }: Account, cost: number, isShort: boolean): boolean {
    const { ofAccount, inTotal, ofEachAccount } = this.#limits;
    const after = held + cost;
    return after <= ofEachAccount || (after <= ofAccount && !isShort && this.#held + cost <= inTotal);
  }

  #beginWaiting(): void {
    while (this.#beginNext());
  }

  #beginNext(): boolean {
    this.#isShort = false;
    for (const [id, account] of this.#accounts) {
      const [first] = account.waiting;
      if (!first) continue;
      if (this.#fits(account, first.cost, this.#isShort)) {
        account.waiting.shift();
        this.#waiting -= 1;
        this.#accounts.delete(id);
        this.#accounts.set(id, account);
        first.begin(this.#place(id, account, first.cost));
        return true;
      }
      if (account.held + first.cost <= this.#limits.ofAccount) this.#isShort = true;
    }
    return false;
  }
}
