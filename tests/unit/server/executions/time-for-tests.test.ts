import { expect, test } from 'vitest';
import { timeForCall, timeForTests } from '../../../../server/modules/executions/test-runs/time-for-tests.ts';

const of = (stepSeconds: number, runSeconds: number, activeMs: number) => ({
  row: { timeoutSeconds: runSeconds, activeMs },
  step: { timeoutSeconds: stepSeconds },
});

test('G3.36 the tests of a step run until the nearest limit of the operator, the step or the run, which is named as the reason', () => {
  const spent = 20_000;
  expect(timeForTests(of(600, 1_800, 60_000), spent, 300)).toEqual({ ms: 300_000, reason: 'timeout' });
  expect(timeForTests(of(60, 1_800, 60_000), spent, 300)).toEqual({ ms: 40_000, reason: 'step_timeout' });
  expect(timeForTests(of(600, 100, 80_000), spent, 300)).toEqual({ ms: 20_000, reason: 'execution_timeout' });
  expect(timeForTests(of(600, 100, 119_000), spent, 300).ms).toBeLessThan(0);
});

test('C4.05 tests in the middle of a step leave the model time to read their log', () => {
  expect(timeForCall(600_000, 300)).toEqual({ ms: 300_000, reason: 'timeout' });
  expect(timeForCall(100_000, 300)).toEqual({ ms: 85_000, reason: 'step_timeout' });
  expect(timeForCall(10_000, 300)).toEqual({ ms: 5_000, reason: 'step_timeout' });
});
