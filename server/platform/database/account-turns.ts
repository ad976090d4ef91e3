import { AsyncLocalStorage } from 'node:async_hooks';
import { FairQueue, QueueFull, type QueueSlot } from '../fair-queue.ts';

/** Whose work it is. Once `signal` aborts, nothing of it that still waits begins. `rows`: those that its statements have returned. */
type Turn = { account: string; signal?: AbortSignal; rows: number };

const turns = new AsyncLocalStorage<Turn>();
const ofNoAccount: Turn = { account: '', rows: 0 };

/**
 * Runs work that waits for connections and for hashes of passwords in the turn of this account, or of another caller. `signal` is for work that may
 * end between any two of its statements.
 */
export function inTurnOf<T>(account: string, work: () => T, signal?: AbortSignal): T {
  return turns.run({ account, rows: 0, ...(signal && { signal }) }, work);
}

/** The turn of the work that runs now. Work outside of `inTurnOf` is of an account of its own. */
export function currentTurn(): Turn {
  return turns.getStore() ?? ofNoAccount;
}

type TurnLimits = {
  /** Holders at the same time, and those of one account. */
  max: number;
  maxPerAccount: number;
  /** Callers that wait, and those of one account. */
  maxWaiting: number;
  maxWaitingPerAccount: number;
  /** How long a caller waits (ms). */
  waitMs: number;
};

/** Gives the turn back. */
export type Leave = () => void;

/** Thrown when too many callers wait for a connection. Its code is PostgreSQL's for too many connections. */
export class PoolExhausted extends Error {
  readonly code: string = '53300';

  constructor(message = 'Too many callers wait for a database connection.') {
    super(message);
  }
}

/** Thrown when too many callers of one account wait for a connection. Others still get one. */
export class AccountExhausted extends PoolExhausted {
  constructor() {
    super('Too many callers of this account wait for a database connection.');
  }
}

/** Bounds the holders of connections, in the turns of a `FairQueue`. Work outside of `inTurnOf` is an account of its own. */
export function createAccountTurns({ max, maxPerAccount, maxWaiting, maxWaitingPerAccount, waitMs }: TurnLimits) {
  const maxCallsOfAccount = maxPerAccount + maxWaitingPerAccount;
  const queue = new FairQueue({ inTotal: max, ofAccount: maxPerAccount, maxWaiting, maxCallsOfAccount });
  return {
    /** Calls `then` with the way to give the turn back, at once if there is one; or with the reason why there is none. */
    enter(then: (failure: Error | null, leave: Leave) => void): void {
      const { account, signal } = currentTurn();
      let stopWaiting = () => {};
      const begin = ({ release }: QueueSlot) => {
        stopWaiting();
        then(null, release);
      };
      const refuse = (reason: Error) => {
        stopWaiting();
        then(reason, () => {});
      };
      if (signal?.aborted) {
        refuse(signal.reason);
        return;
      }
      try {
        const entered = queue.enter(account, 1, begin);
        if (!entered.isWaiting) return;
        const timer = setTimeout(() => refuse(new Error('timeout exceeded when trying to connect')), waitMs).unref();
        const abort = () => refuse(signal?.reason);
        signal?.addEventListener('abort', abort);
        stopWaiting = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          entered.leave();
        };
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        refuse(error.of === 'account' ? new AccountExhausted() : new PoolExhausted());
      }
    },
  };
}
