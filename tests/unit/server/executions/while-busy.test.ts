import { expect, test } from 'vitest';
import { whileBusy } from '../../../../server/modules/executions/test-runs/while-busy.ts';
import type { RunnerEnd } from '../../../../server/platform/runner/runner.ts';

const busy: RunnerEnd = { reason: 'busy' };

/** Tries with waits that pass at once: `waited` is their sum (ms). */
async function trying(ends: RunnerEnd[], ms: number) {
  const [found, signal] = [{ tries: 0, told: 0, waited: 0 }, new AbortController().signal];
  const attempt = async () => {
    found.tries += 1;
    return ends.shift() ?? busy;
  };
  const onBusy = () => {
    found.told += 1;
  };
  const end = await whileBusy(attempt, { signal, ms, onBusy }, async (waitMs) => {
    found.waited += waitMs ?? 0;
    return undefined as never;
  });
  return { end, ...found };
}

test('G3.35 a job waits while all places of the runner are taken, and reports the wait once', async () => {
  expect(await trying([busy, busy, { exitCode: 3 }], 60_000)).toEqual({ end: { exitCode: 3 }, tries: 3, told: 1, waited: 3_000 });
});

test('G3.35 a runner that stays busy until the time of the tests is over is reported as busy', async () => {
  expect(await trying([], 10_000)).toEqual({ end: busy, tries: 5, told: 1, waited: 10_000 });
});

test('G3.35 a job that has begun is not given to the runner again, however it ends', async () => {
  expect(await trying([{ reason: 'cut_off' }], 10_000)).toEqual({ end: { reason: 'cut_off' }, tries: 1, told: 0, waited: 0 });
});

test('G3.35 a stopped step does not wait for the runner', async () => {
  const stop = new AbortController();
  const end = whileBusy(async () => busy, { signal: stop.signal, ms: 60_000, onBusy: () => stop.abort() });
  await expect(end).rejects.toThrow('aborted');
});
