import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';
import { maxStepsAtWork, RunWeights } from '../../../../server/modules/executions/work/run-weights.ts';

/** Begins a run, and tells whether it works and how to end it. */
function run(weights: RunWeights, steps: number) {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let isAtWork = false;
  const ended = weights.carryOut(
    { steps, signals: [controller.signal] },
    async () => {},
    async () => {
      isAtWork = true;
      await promise;
      isAtWork = false;
      return 'done' as const;
    },
  );
  return { steps, ended, end: resolve, leave: () => controller.abort(), isAtWork: () => isAtWork };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('R10.01 a heap of 512 MB holds ten runs of 10,000 steps', () => {
  expect(Math.floor(maxStepsAtWork(512 * 1024 * 1024) / 10_000)).toBe(10);
});

test('R10.01 runs with many steps begin in their order while there is room for them, and a light run never waits', async () => {
  const weights = new RunWeights(1_000);
  const [first, second, third] = [run(weights, 600), run(weights, 600), run(weights, 300)];
  const light = run(weights, 5);
  await settle();
  expect([first, second, third, light].map(({ isAtWork }) => isAtWork())).toEqual([true, false, false, true]);
  expect(weights.hasRoom(300)).toBe(false);
  expect(weights.hasRoom(5)).toBe(true);
  first.end();
  await settle();
  expect([second, third].map(({ isAtWork }) => isAtWork())).toEqual([true, true]);
  for (const one of [second, third, light]) one.end();
  expect(await Promise.all([first, second, third, light].map(({ ended }) => ended))).toEqual(['done', 'done', 'done', 'done']);
});

test('R10.01 a run that is larger than all the room works alone, and a run that leaves the queue lets the next one in', async () => {
  const weights = new RunWeights(1_000);
  const huge = run(weights, 5_000);
  const [leaving, next] = [run(weights, 900), run(weights, 200)];
  await settle();
  expect([huge, leaving, next].map(({ isAtWork }) => isAtWork())).toEqual([true, false, false]);
  leaving.leave();
  expect(await leaving.ended).toBeNull();
  huge.end();
  await settle();
  expect(next.isAtWork()).toBe(true);
  next.end();
  expect(await next.ended).toBe('done');
});

test('R10.01 a run that fails when it begins gives its room back', async () => {
  const weights = new RunWeights(1_000);
  const broken = weights.carryOut(
    { steps: 1_000, signals: [] },
    () => Promise.reject(new Error('broken')),
    async () => {},
  );
  await expect(broken).rejects.toThrow('broken');
  expect(weights.hasRoom(1_000)).toBe(true);
});

test('R10.01 heavy runs are stored one after another in their order, a light one at once, and after one that fails the next one', async () => {
  const weights = new RunWeights();
  const told: string[] = [];
  const store = (name: string, steps: number, error?: Error) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stored = weights.inTurn(steps, async () => {
      told.push(name);
      await promise;
      if (error) throw error;
      return name;
    });
    return { stored, end: resolve };
  };
  const first = store('first', 10_000, new Error('full'));
  const failed = first.stored.catch((error: Error) => error.message);
  const [second, third] = [store('second', manySteps), store('third', 3_000)];
  const light = store('light', manySteps - 1);
  await settle();
  expect(told).toEqual(['first', 'light']);
  first.end();
  expect(await failed).toBe('full');
  await settle();
  expect(told).toEqual(['first', 'light', 'second']);
  for (const { end } of [second, third, light]) end();
  expect(await Promise.all([second, third, light].map(({ stored }) => stored))).toEqual(['second', 'third', 'light']);
});

test('R10.01 in any order of ends, heavy runs at work never exceed the room unless one is alone, and every run has its turn', async () => {
  const weight = fc.integer({ min: 200, max: 1_500 });
  await fc.assert(
    fc.asyncProperty(fc.array(weight, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.nat()), async (weighed, picks) => {
      const weights = new RunWeights(1_000);
      const runs = weighed.map((steps) => run(weights, steps));
      for (let left = runs.length; left > 0; left -= 1) {
        await settle();
        const atWork = runs.filter(({ isAtWork }) => isAtWork());
        expect(atWork.length).toBeGreaterThan(0);
        if (atWork.length > 1) expect(atWork.reduce((sum, { steps }) => sum + steps, 0)).toBeLessThanOrEqual(1_000);
        atWork[(picks.next().value as number) % atWork.length]?.end();
        await settle();
      }
      expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(runs.map(() => 'done'));
    }),
  );
});
