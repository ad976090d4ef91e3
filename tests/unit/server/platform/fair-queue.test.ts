import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue, QueueFull, type QueueSlot } from '../../../../server/platform/fair-queue.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that hold their cost until a test replaces them, by name. */
function held(queue: FairQueue) {
  const places = new Map<string, QueueSlot>();
  const begun: string[] = [];
  const call = async (name: string, bytes: number, signal = never) => {
    const place = await queue.admit(name[0] as string, { cost: bytes, signal });
    places.set(name, place);
    begun.push(name);
  };
  return {
    begun,
    call,
    grow: (name: string, bytes: number) => places.get(name)?.grow(bytes),
    async end(name: string) {
      places.get(name)?.release();
      await settle();
    },
  };
}

test('R23.01 calls of one account begin in their order, and accounts take turns where all hold too much', async () => {
  const { begun, call, end } = held(new FairQueue({ ofAccount: 8, inTotal: 12, ofEachAccount: 1 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void call(name, 4);
  await settle();
  expect(begun).toEqual(['a1', 'a2']);
  void call('b1', 4);
  void call('c1', 4);
  void call('d1', 2);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun.slice(3)).toEqual(['a3']);
  await end('a2');
  expect(begun.slice(4)).toEqual(['c1']);
  await end('b1');
  expect(begun.slice(5)).toEqual(['d1']);
  await end('c1');
  expect(begun.slice(6)).toEqual(['a4']);
});

test('R23.01 a small call of an account that holds nothing begins although others hold everything', async () => {
  const { begun, call, grow } = held(new FairQueue({ ofAccount: 8, inTotal: 8, ofEachAccount: 2 }));
  void call('a1', 8);
  void call('b1', 4);
  void call('c1', 1);
  await settle();
  expect(begun).toEqual(['a1', 'c1']);
  expect([grow('a1', 1), grow('c1', 1), grow('c1', 1)]).toEqual([false, true, false]);
});

test('R23.01 a call that is aborted while it waits leaves its turn to the next', async () => {
  const { begun, call, end } = held(new FairQueue({ ofAccount: 8, inTotal: 8, ofEachAccount: 0 }));
  const aborted = new AbortController();
  void call('a1', 6);
  const large = call('b1', 8, aborted.signal);
  void call('c1', 2);
  await settle();
  expect(begun).toEqual(['a1']);
  aborted.abort('stopped');
  await expect(large).rejects.toBe('stopped');
  await settle();
  expect(begun).toEqual(['a1', 'c1']);
  await end('a1');
  await expect(call('b2', 1, aborted.signal)).rejects.toBe('stopped');
  expect(begun).toEqual(['a1', 'c1']);
});

test('R23.01 no calls hold more than the limits allow, and all begin in the end', async () => {
  const calls = fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 6 }) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(calls, async (those) => {
      const queue = new FairQueue({ ofAccount: 6, inTotal: 10, ofEachAccount: 1 });
      const running: { account: string; bytes: number; place: QueueSlot }[] = [];
      let begun = 0;
      for (const { account, bytes } of those)
        void queue.admit(account, { cost: bytes }).then((place) => {
          begun += 1;
          running.push({ account, bytes, place });
        });
      const sumOf = (some: typeof running) => some.reduce((sum, { bytes }) => sum + bytes, 0);
      for (await settle(); running.length > 0; await settle()) {
        for (const account of ['a', 'b', 'c']) expect(sumOf(running.filter((one) => one.account === account))).toBeLessThanOrEqual(6);
        // Each account may hold one beyond the common limit.
        expect(sumOf(running)).toBeLessThanOrEqual(10 + 3);
        running.shift()?.place.release();
      }
      expect(begun).toBe(those.length);
    }),
  );
});

test('R23.01 an account has so many calls, and of all accounts so many wait', async () => {
  const queue = new FairQueue({ inTotal: 1, ofAccount: 1, maxWaiting: 2, maxCallsOfAccount: 2 });
  const place = await queue.admit('ann');
  void queue.admit('ann');
  await expect(queue.admit('ann')).rejects.toEqual(new QueueFull('account'));
  const bob = new AbortController();
  const waiting = queue.admit('bob', { signal: bob.signal });
  await expect(queue.admit('cleo')).rejects.toEqual(new QueueFull('all'));
  bob.abort('gone');
  await expect(waiting).rejects.toBe('gone');
  const cleo = queue.admit('cleo');
  place.release();
  place.release();
  // The place has gone to the second call of ann, and a second release frees no other.
  expect(await Promise.race([cleo, settle()])).toBeUndefined();
});

test('G8.29 a call that costs more than its account may hold runs alone, and those behind it follow', async () => {
  const queue = new FairQueue({ inTotal: 10, ofAccount: 4 });
  const first = await queue.admit('ann', { cost: 1 });
  let begun = 0;
  const count = (place: QueueSlot) => {
    begun += 1;
    return place;
  };
  const large = queue.admit('ann', { cost: 100 }).then(count);
  const later = queue.admit('ann', { cost: 1 }).then(count);
  await Promise.resolve();
  expect(begun).toBe(0);
  first.release();
  (await large).release();
  (await later).release();
  expect(begun).toBe(2);
});
