import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../../server/platform/bus/throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('R46.01 the throttle passes the first text at once and then the newest, ten times a second at most', () => {
  const passed: number[] = [];
  const { offer } = throttle(100, (value: number) => passed.push(value));
  for (let value = 0; value < 100; value += 1) {
    offer(value);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1_000);
  expect(passed[0]).toBe(0);
  expect(passed.at(-1)).toBe(99);
  expect(passed.length).toBeLessThanOrEqual(11);
});

test('R46.01 the throttle passes nothing after it was stopped', () => {
  const passed: number[] = [];
  const latest = throttle(100, (value: number) => passed.push(value));
  latest.offer(1);
  latest.offer(2);
  latest.stop();
  vi.advanceTimersByTime(1_000);
  expect(passed).toEqual([1]);
});
