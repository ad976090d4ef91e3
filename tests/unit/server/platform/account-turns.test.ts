import { expect, test } from 'vitest';
import {
  AccountExhausted,
  createAccountTurns,
  inTurnOf,
  type Leave,
  PoolExhausted,
} from '../../../../server/platform/database/account-turns.ts';

const limits = { max: 3, maxPerAccount: 2, maxWaiting: 4, maxWaitingPerAccount: 3, waitMs: 60_000 };

/** Callers that hold their turn until a test ends it, and the failures of others. */
function callers(given = limits) {
  const turns = createAccountTurns(given);
  const begun: string[] = [];
  const leaves: Leave[] = [];
  const failures: Error[] = [];
  const enter = (account: string) =>
    inTurnOf(account, () =>
      turns.enter((failure, leave) => {
        if (failure) failures.push(failure);
        else {
          begun.push(account);
          leaves.push(leave);
        }
      }),
    );
  return { begun, failures, enter, end: (at: number) => leaves[at]?.() };
}

test('R10.01 no account holds all connections, and accounts take turns', () => {
  const { begun, enter, end } = callers();
  for (const account of ['ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'cleo']) enter(account);
  expect(begun).toEqual(['ann', 'ann', 'bob']);
  end(0);
  expect(begun.slice(3)).toEqual(['ann']);
  end(1);
  expect(begun.slice(4)).toEqual(['bob']);
  end(2);
  expect(begun.slice(5)).toEqual(['cleo']);
  end(2);
  expect(begun).toHaveLength(6);
  end(3);
  expect(begun.slice(6)).toEqual(['ann']);
});

test('R10.01 an account with too many callers is refused, and so is one when too many of all wait', () => {
  const { begun, failures, enter } = callers();
  for (let many = 0; many < 6; many += 1) enter('ann');
  expect(failures.map((failure) => failure instanceof AccountExhausted)).toEqual([true]);
  enter('bob');
  expect(begun).toEqual(['ann', 'ann', 'bob']);
  for (let many = 0; many < 2; many += 1) enter('cleo');
  expect(failures.slice(1).map((failure) => [failure instanceof PoolExhausted, failure instanceof AccountExhausted])).toEqual([
    [true, false],
  ]);
});

test('R10.01 a caller that waits too long is refused as during an outage, and frees its place in the queue', async () => {
  const { begun, failures, enter, end } = callers({ ...limits, max: 1, waitMs: 1 });
  enter('ann');
  enter('bob');
  await expect.poll(() => failures.map(({ message }) => message)).toEqual(['timeout exceeded when trying to connect']);
  end(0);
  expect(begun).toEqual(['ann']);
  enter('bob');
  expect(begun).toEqual(['ann', 'bob']);
});

test('G8.28 a caller whose client has gone leaves its place, and no later statement of that caller begins', () => {
  const turns = createAccountTurns({ ...limits, max: 1 });
  const told: unknown[] = [];
  let leave: Leave = () => {};
  inTurnOf('ann', () =>
    turns.enter((_failure, given) => {
      leave = given;
    }),
  );
  const gone = new AbortController();
  const ask = () => inTurnOf('bob', () => turns.enter((failure) => told.push(failure)), gone.signal);
  ask();
  gone.abort('gone');
  ask();
  leave();
  inTurnOf('bob', () => turns.enter((failure) => told.push(failure)));
  expect(told).toEqual(['gone', 'gone', null]);
});
