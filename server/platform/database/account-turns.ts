import { AsyncLocalStorage } from 'node:async_hooks';
import { FairQueue, type Place, QueueFull } from '../fair-queue.ts';

const accounts = new AsyncLocalStorage<string>();

/** Runs work whose statements wait for connections in the turn of this account, or of another caller. */
export function inTurnOf<T>(account: string, work: () => T): T {
  return accounts.run(account, work);
}

export type TurnLimits = {
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
      let timer: NodeJS.Timeout | undefined;
      const begin = ({ release }: Place) => {
        clearTimeout(timer);
        then(null, release);
      };
      try {
        const entered = queue.enter(accounts.getStore() ?? '', 1, begin);
        if (!entered.isWaiting) return;
        timer = setTimeout(() => {
          entered.leave();
          then(new Error('timeout exceeded when trying to connect'), () => {});
        }, waitMs).unref();
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        then(error.of === 'account' ? new AccountExhausted() : new PoolExhausted(), () => {});
      }
    },
  };
}
