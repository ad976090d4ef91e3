import { expect, test, vi } from 'vitest';
import { throttle } from '../../../async/throttle.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

/** Calls `count` times, `gap` ms apart; returns the number of runs of the task at the last call, and in total. */
async function called(count: number, gap: number): Promise<{ meanwhile: number; inAll: number }> {
  const clock = new VirtualClock();
  const task = vi.fn();
  const throttled = throttle(task, { ms: 100, everyCalls: 4, ...clock });
  for (let i = 0; i < count; i++) {
    throttled();
    if (i < count - 1) await clock.pass(gap);
  }
  const meanwhile = task.mock.calls.length;
  await clock.pass(5_000);
  return { meanwhile, inAll: task.mock.calls.length };
}

test('a throttled function runs at once, at most once an interval while it is called, and once more after the last call', async () => {
  expect(await called(1, 0)).toEqual({ meanwhile: 1, inAll: 1 });
  expect(await called(2, 10)).toEqual({ meanwhile: 1, inAll: 2 });
  const quick = await called(60, 16);
  expect(quick.meanwhile).toBeGreaterThanOrEqual(8);
  expect(quick.meanwhile).toBeLessThanOrEqual(10);
});

test('a throttled function with slow calls runs once every few calls', async () => {
  const slow = await called(40, 150);
  expect(slow.meanwhile).toBeGreaterThanOrEqual(8);
  expect(slow.meanwhile).toBeLessThanOrEqual(14);
});

test('a call after a pause runs at once, and nothing runs after it was cancelled', async () => {
  expect((await called(5, 1_000)).meanwhile).toBe(5);
  const clock = new VirtualClock();
  const task = vi.fn();
  const throttled = throttle(task, { ms: 100, later: clock.later });
  throttled();
  throttled();
  throttled.cancel();
  await clock.pass(5_000);
  expect(task).toHaveBeenCalledTimes(1);
  throttled();
  expect(task).toHaveBeenCalledTimes(2);
});

test('without a leading run the first call runs after the pause, once for all calls of the pause', async () => {
  const clock = new VirtualClock();
  const task = vi.fn();
  const throttled = throttle(task, { ms: 100, leading: false, later: clock.later });
  throttled();
  throttled();
  await clock.pass(99);
  expect(task).not.toHaveBeenCalled();
  await clock.pass(1);
  expect(task).toHaveBeenCalledTimes(1);
  throttled();
  await clock.pass(100);
  expect(task).toHaveBeenCalledTimes(2);
});

test('without a trailing run calls during the pause are dropped', async () => {
  const clock = new VirtualClock();
  const task = vi.fn();
  const throttled = throttle(task, { ms: 100, trailing: false, later: clock.later });
  throttled();
  throttled();
  await clock.pass(100);
  expect(task).toHaveBeenCalledTimes(1);
  throttled();
  expect(task).toHaveBeenCalledTimes(2);
});

test('a pending run happens at once on a flush, and nothing else does', async () => {
  const clock = new VirtualClock();
  const task = vi.fn();
  const throttled = throttle(task, { ms: 100, later: clock.later });
  throttled.flush();
  expect(task).not.toHaveBeenCalled();
  throttled();
  throttled();
  throttled.flush();
  expect(task).toHaveBeenCalledTimes(2);
  await clock.pass(5_000);
  expect(task).toHaveBeenCalledTimes(2);
});

test('a timer that the task sets for the same time ends after the pause', async () => {
  const clock = new VirtualClock();
  const order: string[] = [];
  const throttled = throttle(
    () => {
      order.push('task');
      clock.later(100, () => order.push('timer of the task'));
    },
    { ms: 100, later: clock.later },
  );
  throttled();
  throttled();
  await clock.pass(100);
  expect(order).toEqual(['task', 'task', 'timer of the task']);
});
