import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDemoRun, demoStepMs, offersExamples } from '../../../src/landing/demo/demo-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('P4.09 four steps appear 1.5 s apart, and then the demo no longer runs', () => {
  const run = createDemoRun();
  expect(run.start('  Add sign-up  ')).toBe(true);
  expect(run.state()).toEqual({ running: true, task: 'Add sign-up', shown: 0 });
  vi.advanceTimersByTime(1_499);
  expect(run.state().shown).toBe(0);
  for (const shown of [1, 2, 3]) {
    vi.advanceTimersByTime(shown === 1 ? 1 : 1_500);
    expect(run.state()).toMatchObject({ running: true, shown });
  }
  vi.advanceTimersByTime(1_500);
  expect(run.state()).toMatchObject({ running: false, shown: 4 });
  vi.advanceTimersByTime(60_000);
  expect(run.state().shown).toBe(4);
});

test('P4.09 nothing starts on blanks, nor while a demo is running', () => {
  const run = createDemoRun();
  expect(run.start(' \n\t ')).toBe(false);
  expect(run.state().running).toBe(false);
  run.start('first');
  vi.advanceTimersByTime(demoStepMs);
  expect(run.start('second')).toBe(false);
  expect(run.state()).toMatchObject({ task: 'first', shown: 1 });
});

test('P4.09 examples are offered only while nothing runs and nothing is shown', () => {
  const run = createDemoRun();
  expect(offersExamples(run.state())).toBe(true);
  run.start('task');
  expect(offersExamples(run.state())).toBe(false);
  vi.advanceTimersByTime(4 * demoStepMs);
  expect(offersExamples(run.state())).toBe(false);
  run.reset();
  expect(offersExamples(run.state())).toBe(true);
  vi.advanceTimersByTime(4 * demoStepMs);
  expect(run.state().shown).toBe(0);
});
