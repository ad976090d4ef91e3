import { AsyncLocalStorage } from 'node:async_hooks';

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

type Waiting = { begin: () => void };
type Account = { holding: number; waiting: Waiting[] };

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

/**
 * Bounds the holders of connections. Accounts take turns, callers of one account begin in the order of their arrival, and no account holds or
 * waits for all. Work outside of `inTurnOf` is an account of its own.
 */
export function createAccountTurns(limits: TurnLimits) {
  const byAccount = new Map<string, Account>();
  let holding = 0;
  let waiting = 0;

  const mayHold = (account: Account) => holding < limits.max && account.holding < limits.maxPerAccount;

  const leaveOf = (id: string, account: Account): Leave => {
    let holds = true;
    holding += 1;
    account.holding += 1;
    return () => {
      if (!holds) return;
      holds = false;
      holding -= 1;
      account.holding -= 1;
      forget(id, account);
      beginNext();
    };
  };
  const forget = (id: string, account: Account) => {
    if (account.holding + account.waiting.length === 0) byAccount.delete(id);
  };

  const beginNext = () => {
    for (const [id, account] of byAccount) {
      const [next] = account.waiting;
      if (!next || !mayHold(account)) continue;
      // The account that was served last is the last of the next turn.
      byAccount.delete(id);
      byAccount.set(id, account);
      next.begin();
      return;
    }
  };

  return {
    /** Calls `then` with the way to give the turn back, at once if there is one; or with the reason why there is none. */
    enter(then: (failure: Error | null, leave: Leave) => void): void {
      const id = accounts.getStore() ?? '';
      const account = byAccount.get(id) ?? { holding: 0, waiting: [] };
      if (account.waiting.length === 0 && mayHold(account)) {
        byAccount.set(id, account);
        then(null, leaveOf(id, account));
        return;
      }
      if (account.waiting.length >= limits.maxWaitingPerAccount || waiting >= limits.maxWaiting) {
        then(account.waiting.length >= limits.maxWaitingPerAccount ? new AccountExhausted() : new PoolExhausted(), () => {});
        return;
      }
      byAccount.set(id, account);
      const stopWaiting = () => {
        clearTimeout(timer);
        waiting -= 1;
        account.waiting.splice(account.waiting.indexOf(one), 1);
      };
      const one: Waiting = {
        begin: () => {
          stopWaiting();
          then(null, leaveOf(id, account));
        },
      };
      const timer = setTimeout(() => {
        stopWaiting();
        forget(id, account);
        then(new Error('timeout exceeded when trying to connect'), () => {});
      }, limits.waitMs);
      timer.unref();
      waiting += 1;
      account.waiting.push(one);
    },
  };
}
