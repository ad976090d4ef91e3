import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRounds } from '../../../../server/platform/rounds.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Rounds that last until they are ended. */
function held() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const rounds = createRounds((signal) => {
    signals.push(signal);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { rounds, signals, end: () => ends.at(-1)?.() };
}

test('a round that takes longer than the interval is not begun again meanwhile', async () => {
  const { rounds, signals, end } = held();
  rounds.start(1_000);
  expect(signals).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals).toHaveLength(1);
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signals).toHaveLength(2);
});

test('the first round may wait for the first interval', async () => {
  const { rounds, signals } = held();
  rounds.start(1_000, 'later');
  expect(signals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signals).toHaveLength(1);
});

test('a stop tells the round under way, waits for its end, and begins no other', async () => {
  const { rounds, signals, end } = held();
  rounds.start(1_000);
  let isStopped = false;
  const stopped = rounds.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals).toHaveLength(1);
});

test('a start after the stop begins nothing', async () => {
  const { rounds, signals } = held();
  await rounds.stop();
  rounds.start(1_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals).toHaveLength(0);
});
