import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DemoOutput, DemoRun, demoStepMs, offersExamples } from '../../../src/landing/demo/demo-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const output: DemoOutput = {
  plan: { title: 'Plan', waves: ['first'] },
  code: { path: 'a.ts', text: 'a' },
  pullRequest: { title: 'A', summary: 'done', files: [] },
};
const atOnce = () => Promise.resolve(output);

test('P4.09 four steps appear 1.5 s apart, and then the demo no longer runs', async () => {
  const run = new DemoRun();
  expect(run.start('  Add sign-up  ', atOnce)).toBe(true);
  expect(run.state.get()).toMatchObject({ running: true, task: 'Add sign-up', shown: 0 });
  await vi.advanceTimersByTimeAsync(1_499);
  expect(run.state.get().shown).toBe(0);
  for (const shown of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(shown === 1 ? 1 : 1_500);
    expect(run.state.get()).toMatchObject({ running: true, shown, output });
  }
  await vi.advanceTimersByTimeAsync(1_500);
  expect(run.state.get()).toMatchObject({ running: false, shown: 4 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run.state.get().shown).toBe(4);
});

test('P4.09 nothing starts on blanks, nor while a demo is running', async () => {
  const run = new DemoRun();
  expect(run.start(' \n\t ', atOnce)).toBe(false);
  expect(run.state.get().running).toBe(false);
  run.start('first', atOnce);
  await vi.advanceTimersByTimeAsync(demoStepMs);
  expect(run.start('second', atOnce)).toBe(false);
  expect(run.state.get()).toMatchObject({ task: 'first', shown: 1 });
});

test('P4.09 examples are offered only while nothing runs and nothing is shown', async () => {
  const run = new DemoRun();
  expect(offersExamples(run.state.get())).toBe(true);
  run.start('task', atOnce);
  expect(offersExamples(run.state.get())).toBe(false);
  await vi.advanceTimersByTimeAsync(4 * demoStepMs);
  expect(offersExamples(run.state.get())).toBe(false);
  run.reset();
  expect(offersExamples(run.state.get())).toBe(true);
  await vi.advanceTimersByTimeAsync(4 * demoStepMs);
  expect(run.state.get().shown).toBe(0);
});

test('P4.09 the ticket appears without the generator, and the plan waits for it', async () => {
  const run = new DemoRun();
  const { promise, resolve } = Promise.withResolvers<DemoOutput>();
  run.start('task', () => promise);
  await vi.advanceTimersByTimeAsync(10 * demoStepMs);
  expect(run.state.get()).toMatchObject({ running: true, shown: 1, output: null });
  resolve(output);
  await vi.advanceTimersByTimeAsync(demoStepMs);
  expect(run.state.get()).toMatchObject({ running: true, shown: 2, output });
});

test('P4.09 a generator that does not arrive ends the demo with a message, and the next try runs', async () => {
  const run = new DemoRun();
  run.start('task', () => Promise.reject(new Error('offline')));
  await vi.advanceTimersByTimeAsync(4 * demoStepMs);
  expect(run.state.get()).toMatchObject({ running: false, shown: 0, hasFailed: true });
  run.start('task', atOnce);
  await vi.advanceTimersByTimeAsync(4 * demoStepMs);
  expect(run.state.get()).toMatchObject({ running: false, shown: 4, hasFailed: false });
});

test('P4.09 a text that a reset demo had begun does not reach the next demo', async () => {
  const run = new DemoRun();
  const { promise, resolve } = Promise.withResolvers<DemoOutput>();
  run.start('task', () => promise);
  run.reset();
  run.start('task', atOnce);
  resolve({ ...output, code: { path: 'old.ts', text: '' } });
  await vi.advanceTimersByTimeAsync(4 * demoStepMs);
  expect(run.state.get().output?.code.path).toBe('a.ts');
});
