/** Bytes that the calls of one account, and those of all accounts, may hold at the same time. */
export type CallMemoryLimits = {
  ofAccount: number;
  inTotal: number;
  /** What each account may hold even when the calls of others hold everything. */
  ofEachAccount: number;
};

/** The memory of one call. */
export type CallLease = {
  /** Adds bytes to the call's memory. Returns false and adds none when its account, or all accounts, would hold too much. */
  grow: (bytes: number) => boolean;
  release: () => void;
};

type Waiting = { bytes: number; begin: () => void };

const mebibyte = 1024 * 1024;

/** A fifth of the memory of a server with 2.5 GiB. The longest prompt takes 24 MiB. */
export const callMemoryLimits: CallMemoryLimits = { ofAccount: 128 * mebibyte, inTotal: 512 * mebibyte, ofEachAccount: 2 * mebibyte };

/**
 * Admits model calls by the memory that they hold. Calls of one account begin in the order of their arrival, and accounts take turns. Where all
 * accounts hold too much together, the longest call is not overtaken by later ones of accounts that hold their own share already.
 */
export class CallMemory {
  readonly #limits: CallMemoryLimits;
  readonly #held = new Map<string, number>();
  /** The accounts with waiting calls. The most recently served one is the last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;
  /** Whether a call waits for memory that other accounts hold. */
  #isShort = false;

  constructor(limits: CallMemoryLimits = callMemoryLimits) {
    this.#limits = limits;
  }

  /** Resolves when the call may begin. `onWait` is called if it waits. Rejects with the signal's reason when that aborts meanwhile. */
  async admit(account: string, bytes: number, { signal, onWait }: { signal: AbortSignal; onWait: () => void }): Promise<CallLease> {
    signal.throwIfAborted();
    const others = this.#waiting.get(account);
    if (!others && this.#fits(account, bytes, this.#isShort)) this.#take(account, bytes);
    else {
      onWait();
      await this.#wait(account, bytes, signal);
    }
    return this.#lease(account, bytes);
  }

  #wait(account: string, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(account, waiting);
        reject(signal.reason);
        this.#beginWaiting();
      };
      const waiting = {
        bytes,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const others = this.#waiting.get(account);
      if (others) others.push(waiting);
      else this.#waiting.set(account, [waiting]);
      this.#beginWaiting();
    });
  }

  #lease(account: string, taken: number): CallLease {
    let bytes = taken;
    return {
      grow: (more) => {
        if (!this.#fits(account, more, false)) return false;
        this.#take(account, more);
        bytes += more;
        return true;
      },
      release: () => {
        this.#take(account, -bytes);
        bytes = 0;
        this.#beginWaiting();
      },
    };
  }

  /** Whether the account may hold so much more. `isShort`: calls of others wait for memory, and come first. */
  #fits(account: string, bytes: number, isShort: boolean): boolean {
    const held = (this.#held.get(account) ?? 0) + bytes;
    const { ofAccount, inTotal, ofEachAccount } = this.#limits;
    return held <= ofEachAccount || (held <= ofAccount && !isShort && this.#total + bytes <= inTotal);
  }

  #take(account: string, bytes: number): void {
    const held = (this.#held.get(account) ?? 0) + bytes;
    if (held > 0) this.#held.set(account, held);
    else this.#held.delete(account);
    this.#total += bytes;
  }

  #beginWaiting(): void {
    while (this.#beginNext());
  }

  #beginNext(): boolean {
    this.#isShort = false;
    for (const [account, [first]] of this.#waiting) {
      if (!first) continue;
      if (this.#fits(account, first.bytes, this.#isShort)) {
        this.#remove(account, first);
        const others = this.#waiting.get(account);
        this.#waiting.delete(account);
        if (others) this.#waiting.set(account, others);
        this.#take(account, first.bytes);
        first.begin();
        return true;
      }
      if ((this.#held.get(account) ?? 0) + first.bytes <= this.#limits.ofAccount) this.#isShort = true;
    }
    return false;
  }

  #remove(account: string, waiting: Waiting): void {
    const left = (this.#waiting.get(account) ?? []).filter((other) => other !== waiting);
    if (left.length > 0) this.#waiting.set(account, left);
    else this.#waiting.delete(account);
  }
}
