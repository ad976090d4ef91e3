import { expect, test } from 'vitest';
import { singleFlight } from '../../../async/single-flight.ts';

/** A task whose runs a test ends one by one. */
function heldTask() {
  const runs: { given: string; end: (result: string) => void; fail: (cause: Error) => void }[] = [];
  const task = (given: string) =>
    new Promise<string>((end, fail) => {
      runs.push({ given, end, fail });
    });
  return { runs, task };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls while the task runs share its result, and a later call runs it again', async () => {
  const { runs, task } = heldTask();
  const flight = singleFlight(task);
  const calls = [flight('a'), flight('b')];
  expect(runs.map(({ given }) => given)).toEqual(['a']);
  runs[0]?.end('done');
  expect(await Promise.all(calls)).toEqual(['done', 'done']);
  void flight('c');
  expect(runs.map(({ given }) => given)).toEqual(['a', 'c']);
});

test('W7.08 with rerun, calls during a run make the task run once more, for the newest call, and all calls get the last result', async () => {
  const { runs, task } = heldTask();
  const flight = singleFlight(task, { rerun: true });
  const calls = [flight('a'), flight('b'), flight('c')];
  runs[0]?.end('first');
  await turn();
  expect(runs.map(({ given }) => given)).toEqual(['a', 'c']);
  runs[1]?.end('second');
  expect(await Promise.all(calls)).toEqual(['second', 'second', 'second']);
  expect(runs).toHaveLength(2);
});

test('a task that fails fails for all callers, and does not run again by itself', async () => {
  const { runs, task } = heldTask();
  const flight = singleFlight(task, { rerun: true });
  const calls = [flight('a'), flight('b')];
  runs[0]?.fail(new Error('broken'));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toHaveLength(1);
  void flight('c');
  expect(runs).toHaveLength(2);
});

test('with rerun a call runs the task again at whatever moment of the end of a run it comes', async () => {
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const flight = singleFlight(
      async () => {
        begun += 1;
        await gate.promise;
      },
      { rerun: true },
    );
    void flight();
    gate.resolve();
    for (let tick = 0; tick < ticks; tick += 1) await null;
    await flight();
    expect([ticks, begun]).toEqual([ticks, 2]);
  }
});

test('a single flight is settled once no run is left', async () => {
  const { runs, task } = heldTask();
  const flight = singleFlight(task, { rerun: true });
  await flight.settled();
  void flight('a');
  void flight('b');
  let isSettled = false;
  const settled = flight.settled().then(() => {
    isSettled = true;
  });
  runs[0]?.end('first');
  await turn();
  expect(isSettled).toBe(false);
  runs[1]?.end('second');
  await settled;
  expect(isSettled).toBe(true);
});
