import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TriedTarget } from '../../../../src/app/workspace/frame/panels.tsx';
import { holdTrial, isTrialOpen, keepTrial, readKeptTrial } from '../../../../src/app/workspace/rerun/kept-trial.ts';

const hour = 3_600_000;
const trial: TriedTarget = {
  ...{ kind: 'tried', original: 'run', name: 'Editor', step: { stepId: 's', round: 0, item: 0 } },
  runs: [{ executionId: 'one', model: 'gpt-5' }],
};

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  const held = new Map<string, number>();
  const count = (name: string, by: number) => held.set(name, (held.get(name) ?? 0) + by);
  vi.stubGlobal('navigator', {
    locks: {
      request: async (name: string, work: () => Promise<void>) => {
        count(name, 1);
        await work();
        count(name, -1);
      },
      query: async () => ({ held: [...held].flatMap(([name, times]) => (times > 0 ? [{ name }] : [])) }),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test('G5.07 a trial that was left without a choice is kept for its project for a day, without the problem of its start', () => {
  keepTrial('a', { ...trial, problem: { code: 'too_many_runs' } }, 0);
  expect(readKeptTrial('a', 23 * hour)).toEqual(trial);
  expect([readKeptTrial('b', 0), readKeptTrial('a', 25 * hour)]).toEqual([null, null]);
  keepTrial('a', null, 0);
  expect(readKeptTrial('a', 0)).toBeNull();
});

test('G5.07 what another program has stored in its place is no trial', () => {
  for (const text of ['{', 'null', '{"at":0}', '{"at":0,"trial":{"runs":[]}}']) {
    localStorage.setItem('trial:a', text);
    expect(readKeptTrial('a', 0)).toBeNull();
  }
});

test('G5.07 a trial counts as open while a page holds its lock, and never in a browser without locks', async () => {
  const release = holdTrial(trial);
  expect(await isTrialOpen(trial)).toBe(true);
  expect(await isTrialOpen({ runs: [{ executionId: 'other', model: 'gpt-5' }] })).toBe(false);
  release();
  await Promise.resolve();
  expect(await isTrialOpen(trial)).toBe(false);
  vi.stubGlobal('navigator', {});
  holdTrial(trial)();
  expect(await isTrialOpen(trial)).toBe(false);
});
