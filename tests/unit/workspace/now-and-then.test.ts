import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NowAndThen } from '../../../src/app/workspace/time/now-and-then.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks `count` times, `gap` ms apart; returns how often it was done by then, and in all. */
function asked(count: number, gap: number): { meanwhile: number; inAll: number } {
  const action = vi.fn();
  const acting = new NowAndThen(action, { ms: 100, times: 4 });
  for (let i = 0; i < count; i++) {
    acting.ask();
    if (i < count - 1) vi.advanceTimersByTime(gap);
  }
  const meanwhile = action.mock.calls.length;
  vi.advanceTimersByTime(5_000);
  return { meanwhile, inAll: action.mock.calls.length };
}

test('it is done at once, now and then while it is asked for, and once more after the last time', () => {
  expect(asked(1, 0)).toEqual({ meanwhile: 1, inAll: 1 });
  expect(asked(2, 10)).toEqual({ meanwhile: 1, inAll: 2 });
  const quick = asked(60, 16);
  expect(quick.meanwhile).toBeGreaterThanOrEqual(8);
  expect(quick.meanwhile).toBeLessThanOrEqual(10);
});

test('where it is asked for slowly it is done every few times', () => {
  const slow = asked(40, 150);
  expect(slow.meanwhile).toBeGreaterThanOrEqual(8);
  expect(slow.meanwhile).toBeLessThanOrEqual(14);
});

test('what comes after a pause is done at once, and nothing after it was called off', () => {
  expect(asked(5, 1_000).meanwhile).toBe(5);
  const action = vi.fn();
  const acting = new NowAndThen(action, { ms: 100, times: 4 });
  acting.ask();
  acting.ask();
  acting.cancel();
  vi.advanceTimersByTime(5_000);
  expect(action).toHaveBeenCalledTimes(1);
});
