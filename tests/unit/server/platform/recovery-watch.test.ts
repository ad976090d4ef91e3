import { expect, test } from 'vitest';
import { RecoveryWatch } from '../../../../server/platform/database/embedded/recovery-watch.ts';

/** Looks each half second for so many seconds. Returns after how many of them the recovery was over; null for never. */
function secondsUntilOver(seconds: number, progressAt: (second: number) => string | null): number | null {
  const watch = new RecoveryWatch();
  for (let second = 0; second < seconds; second += 0.5) if (watch.isOver(progressAt(second), second * 1_000)) return second;
  return null;
}

test('R23.01 a recovery of an hour is not over as long as it makes progress every half minute', () => {
  expect(secondsUntilOver(3_600, (second) => `at ${Math.floor(second / 30)}`)).toBe(null);
});

test('R23.01 a recovery counts as over after a standstill that is longer than any of one that makes progress', () => {
  expect(secondsUntilOver(3_600, () => 'at 1')).toBeGreaterThanOrEqual(60);
});

test('R23.01 a recovery without a process is over sooner, but not before PostgreSQL has had time to start one', () => {
  const over = secondsUntilOver(3_600, () => null);
  expect(over).toBeGreaterThan(10);
  expect(over).toBeLessThan(30);
  expect(secondsUntilOver(3_600, (second) => (second % 10 < 9 ? null : `at ${second}`))).toBe(null);
});

test('R23.01 a machine that was suspended does not give up a recovery, since looks are counted and not the time between them', () => {
  const watch = new RecoveryWatch();
  expect(watch.isOver('at 1', 0)).toBe(false);
  expect(watch.isDue(100)).toBe(false);
  expect(watch.isDue(3_600_000)).toBe(true);
  expect(watch.isOver('at 1', 3_600_000)).toBe(false);
});
