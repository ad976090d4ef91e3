import { expect, test } from 'vitest';
import { retryOnce } from '../../../async/retry-once.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

/** Returns these answers in order; `lost` requires a second call after 1 s. */
function answers(...given: string[]) {
  const clock = new VirtualClock();
  let calls = 0;
  const call = async () => given[calls++] ?? 'none';
  const waitMs = (answer: string) => (answer === 'lost' ? 1_000 : null);
  return { clock, call, options: { waitMs, later: clock.later }, count: () => calls };
}

test('a result that is not to be tried again is returned as it is', async () => {
  const { call, options, count } = answers('refused', 'done');
  expect([await retryOnce(call, options), count()]).toEqual(['refused', 1]);
});

test('the second call comes after the wait, and its result is the last one', async () => {
  const { clock, call, options, count } = answers('lost', 'lost', 'done');
  const result = retryOnce(call, options);
  await clock.pass(999);
  expect(count()).toBe(1);
  await clock.pass(1);
  expect([await result, count()]).toEqual(['lost', 2]);
});

test('a signal ends the wait, also one that is aborted already', async () => {
  const { clock, call, options, count } = answers('lost', 'done', 'lost', 'done');
  const leaving = new AbortController();
  const result = retryOnce(call, { ...options, signal: leaving.signal });
  await clock.pass(10);
  expect(count()).toBe(1);
  leaving.abort();
  expect([await result, count()]).toEqual(['done', 2]);
  expect([await retryOnce(call, { ...options, signal: leaving.signal }), count()]).toEqual(['done', 4]);
});
