import { describe, expect, test } from 'vitest';
import { failuresOf, formatFailure } from '../../scripts/test-run/failures.ts';
import { readResult, removeResult, runVariable, writeResult } from '../../scripts/test-run/suite-results.ts';
import { addTallies, formatTally, tallyOfExit, tallyOfReport } from '../../scripts/test-run/tally.ts';
import { withoutSettings } from '../../scripts/test-run/without-settings.ts';

const vitestReport = (numPassedTests: number, numFailedTests: number) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests: 1,
  numTodoTests: 0,
});

describe('counting what the suites did', () => {
  test('the tally sums passed, failed and skipped over all suites', () => {
    const total = addTallies([tallyOfExit(0), tallyOfExit(2), { passed: 5, failed: 0, skipped: 3 }]);
    expect(formatTally(total)).toBe('6 passed, 1 failed, 3 skipped');
  });

  test('the tally leaves out the skipped tests where there are none', () => {
    expect(formatTally({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
  });

  test('the tally counts a suite that a signal ended as failed', () => {
    expect(tallyOfExit(null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('the tally reads reports of Vitest and Playwright, and counts a flaky test as failed', () => {
    expect(tallyOfReport('vitest', vitestReport(7, 0), 0)).toEqual({ passed: 7, failed: 0, skipped: 1 });
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
    expect(tallyOfReport('playwright', { stats }, 1)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  test('the tally counts a failure without a failed test: a runner that failed, or a runner that ran no test', () => {
    expect(tallyOfReport('vitest', vitestReport(7, 0), 1).failed).toBe(1);
    expect(tallyOfReport('playwright', { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }, 0).failed).toBe(1);
  });
});

describe('the result of a suite', () => {
  test('the result of a suite is read back as it was stored, with the run that it was part of', () => {
    const stored = { tally: { passed: 2, failed: 0, skipped: 1 }, failures: [], seconds: 1.5 };
    writeResult('a-suite-of-this-test', stored);
    try {
      expect(readResult('a-suite-of-this-test')).toMatchObject({ ...stored, run: process.env[runVariable] ?? null });
    } finally {
      removeResult('a-suite-of-this-test');
    }
  });

  test('the result of a suite without a report is one failure', () => {
    const { tally, failures } = readResult('no-such-suite');
    expect(formatTally(tally)).toBe('0 passed, 1 failed');
    expect(failures).toEqual([{ title: 'no-such-suite', reason: 'The suite did not run, or was ended before its end.' }]);
  });
});

describe('naming what failed', () => {
  test('the report names a failed test with the beginning of its reason, and a file that did not load', () => {
    const testResults = [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [{ status: 'failed', fullName: 'adds', failureMessages: ['\u001b[31m1 is not 2\u001b[39m\nat x'] }],
      },
      { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'holds' }] },
    ];
    expect(failuresOf('vitest', { testResults }).map(formatFailure)).toEqual([
      '✗ adds (a.test.ts)\n    1 is not 2\n    at x',
      '✗ b.test.ts\n    no such module',
    ]);
  });

  test('the report names a failed or flaky browser test at any depth of groups, and an error outside the tests', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'a.spec.ts',
      tests: [{ status, results: [{ errors: [{ message: `why ${title}` }] }] }],
    });
    const report = {
      errors: [{ message: 'no server' }],
      suites: [{ specs: [spec('draws', 'expected')], suites: [{ specs: [spec('moves', 'unexpected'), spec('waits', 'flaky')] }] }],
    };
    expect(failuresOf('playwright', report)).toEqual([
      { title: 'outside the tests', reason: 'no server' },
      { title: 'moves (a.spec.ts)', reason: 'why moves', file: 'a.spec.ts' },
      { title: 'waits (a.spec.ts)', reason: 'why waits', file: 'a.spec.ts' },
    ]);
  });

  test('an empty report names no failure', () => {
    expect([...failuresOf('vitest', {}), ...failuresOf('playwright', {})]).toEqual([]);
  });
});

test("the test environment leaves out a developer's own settings and keys", () => {
  const env = {
    PATH: '/bin',
    OPENAI_API_KEY: 'sk-real',
    ARTEL_REALTIME: 'off',
    VITE_API_PRODUCTION: 'https://example.org',
    DATABASE_URL: 'x',
  };
  expect(withoutSettings(env)).toEqual({ PATH: '/bin' });
});
