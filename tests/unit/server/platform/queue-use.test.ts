import { expect, test } from 'vitest';
import { QueueUse } from '../../../../server/platform/work-queue/pg-boss/queue-use.ts';

/** The use of two queues, of which the database has what `stored` says. */
function createUse({ isAlone }: { isAlone: boolean }) {
  const state = { stored: { delivery: false, trigger: false }, asked: 0, at: 0, during: () => {} };
  const use = new QueueUse({
    run: async () => {
      const answer = { ...state.stored };
      state.asked += 1;
      state.during();
      return [answer];
    },
    isAlone,
    elapsed: () => state.at,
  });
  use.watch('delivery', 'SELECT true');
  use.watch('trigger', 'SELECT true');
  return { use, state };
}

test('K6.08 a process that is alone asks about unused queues once, and again after each use', async () => {
  const { use, state } = createUse({ isAlone: true });
  expect([use.isInUse('delivery'), use.isInUse('execution')]).toEqual([true, true]);
  for (let round = 0; round < 100; round++) await use.ask();
  expect([state.asked, use.isInUse('delivery'), use.isInUse('execution')]).toEqual([1, false, true]);
  state.at += 3_600_000;
  await use.ask();
  expect(state.asked).toBe(1);

  state.stored.delivery = true;
  expect([use.mark('delivery'), use.mark('delivery')]).toEqual([true, false]);
  expect([use.isInUse('delivery'), use.isInUse('trigger')]).toEqual([true, false]);
  await use.ask();
  expect([state.asked, use.isInUse('delivery'), use.isInUse('trigger')]).toEqual([2, true, false]);
  state.stored.delivery = false;
  for (let round = 0; round < 100; round++) await use.ask();
  expect([state.asked, use.isInUse('delivery')]).toEqual([3, false]);
});

test('K6.08 a process of a cluster asks about unused queues once a minute, and when it may have missed a use', async () => {
  const { use, state } = createUse({ isAlone: false });
  for (let round = 0; round < 100; round++) await use.ask();
  expect(state.asked).toBe(1);
  state.stored.trigger = true;
  state.at += 59_999;
  await use.ask();
  expect([state.asked, use.isInUse('trigger')]).toEqual([1, false]);
  state.at += 1;
  await use.ask();
  expect([state.asked, use.isInUse('trigger'), use.isInUse('delivery')]).toEqual([2, true, false]);

  state.stored.trigger = false;
  await use.ask();
  expect([state.asked, use.isInUse('trigger')]).toEqual([3, false]);
  use.askSoon();
  await use.ask();
  expect(state.asked).toBe(4);
});

test('K6.08 a use that is stored while the database is asked is not overlooked', async () => {
  const { use, state } = createUse({ isAlone: true });
  state.during = () => {
    use.mark('trigger');
    state.during = () => {};
  };
  await use.ask();
  expect([use.isInUse('trigger'), use.isInUse('delivery')]).toEqual([true, false]);
  await use.ask();
  expect(use.isInUse('trigger')).toBe(false);
});

test.each([true, false])('K6.08 a process asks again once the database is back, also when it is alone (%s)', async (isAlone) => {
  const { use, state } = createUse({ isAlone });
  await use.ask();
  // A commit that is stored may have lost its reply: the process has not marked it.
  state.stored.trigger = true;
  use.askSoon();
  state.during = () => {
    throw new Error('The database is away.');
  };
  await expect(use.ask()).rejects.toThrow('away');
  expect([state.asked, use.isInUse('trigger')]).toEqual([2, false]);
  state.during = () => {};
  await use.ask();
  expect([state.asked, use.isInUse('trigger'), use.isInUse('delivery')]).toEqual([3, true, false]);
  state.stored.trigger = false;
  for (let round = 0; round < 100; round++) await use.ask();
  expect([state.asked, use.isInUse('trigger')]).toEqual([4, false]);
});

test.each([true, false])('K6.08 a use that was missed while the database answered is found by the next question (%s)', async (isAlone) => {
  const { use, state } = createUse({ isAlone });
  state.during = () => {
    state.stored.trigger = true;
    use.askSoon();
    state.during = () => {};
  };
  await use.ask();
  expect([state.asked, use.isInUse('trigger')]).toEqual([1, false]);
  await use.ask();
  expect([state.asked, use.isInUse('trigger')]).toEqual([2, true]);
});
