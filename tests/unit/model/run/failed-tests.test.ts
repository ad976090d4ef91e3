import { expect, test } from 'vitest';
import { haveTestsFailed } from '../../../../src/model/run/test-report.ts';

test('D9.11 executed tests have failed by their exit code, or by what their log counts', () => {
  const counts = { passed: 3, failed: 0 };
  expect(haveTestsFailed({ state: 'ended', exitCode: 1, counts })).toBe(true);
  expect(haveTestsFailed({ state: 'ended', exitCode: 0, counts: { ...counts, failed: 1 } })).toBe(true);
  expect(haveTestsFailed({ state: 'ended', exitCode: 0, counts })).toBe(false);
  expect(haveTestsFailed({ state: 'running', exitCode: null })).toBe(false);
});
