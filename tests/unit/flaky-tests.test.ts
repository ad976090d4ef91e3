import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forgive, formatFlaky, judgeRerun, type NamedResult, namesForNextRun, planReruns } from '../../scripts/test-run/flaky.ts';
import { outcomeOfExit, outcomeOfReport } from '../../scripts/test-run/suite-outcome.ts';

const root = join(import.meta.dirname, '../..');

/** A suite of which each file has two tests that passed and one that was skipped, beside the failed ones. */
function suite(name: string, failed: Record<string, string[]>): NamedResult {
  const files = Object.entries(failed);
  const failures = files.flatMap(([file, titles]) =>
    titles.map((title) => ({ title: `${title} (${file})`, reason: `why ${title}`, file })),
  );
  return {
    ...{ suite: name, seconds: 1, run: 'a run', endedAt: `the end of ${name}` },
    tally: { passed: 2 * files.length, failed: failures.length, skipped: files.length },
    files: Object.fromEntries(files.map(([file, titles]) => [file, { passed: 2, failed: titles.length, skipped: 1 }])),
    titles: Object.fromEntries(files.map(([file]) => [file, { passed: [`one (${file})`, `two (${file})`], skipped: [`left (${file})`] }])),
    failures,
  };
}

/** A rerun in which so many of the tests of `suite` passed, in the order of the file, and in which others were skipped. */
const passedAgain = (file: string, passed: number, skipped = 1): NamedResult => {
  const titles = ['adds', 'one', 'two', 'left'].map((title) => `${title} (${file})`);
  return endedAs(file, titles.slice(0, passed), titles.slice(titles.length - skipped));
};

/** A result of a file whose tests all passed or were skipped. */
const endedAs = (file: string, passed: string[], skipped: string[]): NamedResult => {
  const tally = { passed: passed.length, failed: 0, skipped: skipped.length };
  return { ...suite('rerun', {}), tally, files: { [file]: tally }, titles: { [file]: { passed, skipped } } };
};

describe('which files run once more', () => {
  test('a file with failed tests runs once more in each of its suites', () => {
    const results = [suite('unit', { 'a.test.ts': ['adds', 'sums'] }), suite('integration', { 'a.test.ts': ['adds'] })];
    expect(planReruns(results, [])).toEqual({
      files: [
        { suite: 'unit', file: 'a.test.ts' },
        { suite: 'integration', file: 'a.test.ts' },
      ],
      refused: [],
    });
  });

  test('no file runs once more if four tests failed', () => {
    const results = [suite('unit', { 'a.test.ts': ['adds', 'sums'] }), suite('e2e', { 'b.spec.ts': ['draws', 'moves'] })];
    expect(planReruns(results, [])).toEqual({ files: [], refused: ['4 tests failed: at most 3 run once more.'] });
  });

  test('a file does not run once more if an earlier run has named one of its failed tests', () => {
    const results = [suite('unit', { 'a.test.ts': ['adds', 'sums'], 'b.test.ts': ['holds'] })];
    expect(planReruns(results, ['sums (a.test.ts)'])).toEqual({
      files: [{ suite: 'unit', file: 'b.test.ts' }],
      refused: ['An earlier run has named it as flaky: sums (a.test.ts)'],
    });
  });

  test('a suite without tests, an error outside the tests and a suite without a report do not run once more', () => {
    const broken = [
      outcomeOfExit('types', 1),
      outcomeOfExit('e2e', 1, 'no report'),
      outcomeOfReport('faults', { format: 'vitest', report: vitestReport({}), unhandled: ['a promise'], code: 1 }),
    ].map((outcome) => ({ ...suite('types', {}), ...outcome }));
    expect(planReruns(broken, [])).toEqual({ files: [], refused: [] });
  });
});

describe('what is flaky', () => {
  const before = suite('unit', { 'a.test.ts': ['adds'] });

  test('a file is flaky if all of its tests passed in the rerun', () => {
    const tally = { passed: 3, failed: 0, skipped: 1 };
    expect(judgeRerun(before, 'a.test.ts', passedAgain('a.test.ts', 3))).toEqual({
      ...{ suite: 'unit', endedAt: 'the end of unit', file: 'a.test.ts', titles: ['adds (a.test.ts)'] },
      tally,
    });
  });

  test('a file is not flaky if a test failed in the rerun, was left out of it, or if the rerun has no result', () => {
    expect(judgeRerun(before, 'a.test.ts', suite('rerun', { 'a.test.ts': ['another'] }))).toBe(null);
    expect(judgeRerun(before, 'a.test.ts', passedAgain('a.test.ts', 2, 2))).toBe(null);
    expect(judgeRerun(before, 'a.test.ts', passedAgain('b.test.ts', 3))).toBe(null);
    expect(judgeRerun(before, 'a.test.ts', { ...suite('rerun', {}), ...outcomeOfExit('rerun', 1) })).toBe(null);
  });

  test('a file is not flaky if a failed test was skipped in the rerun, though as many tests passed', () => {
    const others = ['one (a.test.ts)', 'two (a.test.ts)', 'left (a.test.ts)'];
    expect(judgeRerun(before, 'a.test.ts', endedAs('a.test.ts', others, ['adds (a.test.ts)']))).toBe(null);
  });

  test('a file is not flaky if one of two tests of the same title was skipped in the rerun', () => {
    const twins = {
      ...before,
      titles: { 'a.test.ts': { passed: ['adds (a.test.ts)', 'one (a.test.ts)'], skipped: ['left (a.test.ts)'] } },
    };
    const once = endedAs('a.test.ts', ['adds (a.test.ts)', 'one (a.test.ts)', 'left (a.test.ts)'], ['adds (a.test.ts)']);
    expect(judgeRerun(twins, 'a.test.ts', once)).toBe(null);
    const twice = endedAs('a.test.ts', ['adds (a.test.ts)', 'adds (a.test.ts)', 'one (a.test.ts)'], ['left (a.test.ts)']);
    expect(judgeRerun(twins, 'a.test.ts', twice)).not.toBe(null);
  });

  const names = ['1', '2', '3', '4', '5'];
  test.each<[boolean, string, string[], string[], string[]]>([
    [false, 'all of its tests were skipped again', names, [], names],
    [false, 'a test is skipped that the failed hook had not reached', names.slice(1), names.slice(1), ['1']],
    [false, 'it did not load, and has no test now', [], [], []],
    [true, 'its tests passed, but for one that was skipped before', names, names.slice(1), ['1']],
    [true, 'it did not load, and all of its tests passed', [], names, []],
  ])('a file with a failed hook or import is flaky (%s) if %s', (isFlaky, _what, skipped, passedNow, skippedNow) => {
    const hook = { ...endedAs('a.test.ts', [], skipped), failures: [{ title: 'a.test.ts', reason: 'no server', file: 'a.test.ts' }] };
    expect(judgeRerun(hook, 'a.test.ts', endedAs('a.test.ts', passedNow, skippedNow)) !== null).toBe(isFlaky);
  });

  test('the next run does not forgive what this run forgave, nor what failed again after an earlier run named it', () => {
    const flaky = [judgeRerun(before, 'a.test.ts', passedAgain('a.test.ts', 3))].filter((file) => file !== null);
    const results = [before, suite('e2e', { 'b.spec.ts': ['draws'] })];
    expect(namesForNextRun(results, flaky, ['draws (b.spec.ts)', 'mended (c.spec.ts)'])).toEqual(['adds (a.test.ts)', 'draws (b.spec.ts)']);
  });
});

describe('the sum', () => {
  const results = [suite('unit', { 'a.test.ts': ['adds'], 'b.test.ts': ['holds'] }), suite('e2e', { 'b.spec.ts': ['draws'] })];
  const flaky = [judgeRerun(results[0] as NamedResult, 'a.test.ts', passedAgain('a.test.ts', 3))].filter((file) => file !== null);

  test('a flaky test counts as passed and is named with its suite and its first reason', () => {
    const sum = forgive(results, { flaky, named: [] });
    expect(sum.results.map(({ tally, failures }) => ({ tally, failed: failures.map(({ title }) => title) }))).toEqual([
      { tally: { passed: 5, failed: 1, skipped: 2 }, failed: ['holds (b.test.ts)'] },
      { tally: { passed: 2, failed: 1, skipped: 1 }, failed: ['draws (b.spec.ts)'] },
    ]);
    expect(sum.flakyTests.map(formatFlaky)).toEqual([
      '~ unit: adds (a.test.ts)\n    why adds\n  line for tests/flaky.json: "adds (a.test.ts)"',
    ]);
  });

  test('tests behind a hook that failed count as passed, no longer as skipped', () => {
    const hook: NamedResult = {
      ...suite('unit', {}),
      ...{ tally: { passed: 7, failed: 1, skipped: 3 }, files: { 'a.test.ts': { passed: 0, failed: 0, skipped: 3 } } },
      titles: { 'a.test.ts': { passed: [], skipped: ['adds (a.test.ts)', 'one (a.test.ts)', 'two (a.test.ts)'] } },
      failures: [{ title: 'a.test.ts', reason: 'no server', file: 'a.test.ts' }],
    };
    const judged = [judgeRerun(hook, 'a.test.ts', passedAgain('a.test.ts', 3, 0))].filter((file) => file !== null);
    expect(forgive([hook], { flaky: judged, named: [] }).results[0]?.tally).toEqual({ passed: 10, failed: 0, skipped: 0 });
  });

  test('a later run of the suite is not forgiven', () => {
    const later = results.map((result) => ({ ...result, endedAt: 'later' }));
    expect(forgive(later, { flaky, named: [] })).toEqual({ results: later, flakyTests: [] });
  });
});

describe('the failures of a report', () => {
  test('an error outside the tests counts beside a failed test', () => {
    const report = vitestReport({ adds: 'failed' });
    const { tally, failures } = outcomeOfReport('unit', { format: 'vitest', report, unhandled: ['a promise'], code: 1 });
    expect(tally).toEqual({ passed: 0, failed: 2, skipped: 0 });
    expect(failures).toEqual([
      { title: 'outside the tests', reason: 'a promise' },
      { title: 'adds (a.test.ts)', reason: 'why adds', file: 'a.test.ts' },
    ]);
  });

  test('a runner that a signal ended fails beside its failed tests', () => {
    const report = vitestReport({ adds: 'failed' });
    const { tally, failures } = outcomeOfReport('unit', { format: 'vitest', report, unhandled: [], code: null });
    expect(tally.failed).toBe(2);
    expect(failures.at(-1)).toEqual({ title: 'unit', reason: 'The runner ended with a signal.' });
  });

  test('a runner that failed without a failed test is named', () => {
    const report = vitestReport({ adds: 'passed' });
    expect(outcomeOfReport('unit', { format: 'vitest', report, unhandled: [], code: 1 }).failures).toEqual([
      { title: 'unit', reason: 'The runner failed without a failed test, or ran no test.' },
    ]);
  });

  test('a browser test is named with its groups and its path from the root', () => {
    const specs = [{ title: 'moves', file: 'canvas/a.spec.ts', tests: [{ status: 'unexpected', results: [] }] }];
    const suites = [{ title: 'canvas/a.spec.ts', suites: [{ title: 'a card', specs }] }];
    const report = { config: { rootDir: join(root, 'tests/e2e') }, suites, stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 } };
    const { failures, files } = outcomeOfReport('e2e', { format: 'playwright', report, unhandled: [], code: 1 });
    const file = 'tests/e2e/canvas/a.spec.ts';
    expect(failures).toEqual([{ title: `a card moves (${file})`, reason: '', file }]);
    expect(files).toEqual({ [file]: { passed: 0, failed: 1, skipped: 0 } });
  });

  test('a result has the titles of the tests that passed and of those that were skipped, by their file', () => {
    const report = vitestReport({ adds: 'passed', sums: 'failed', holds: 'skipped' });
    const { titles } = outcomeOfReport('unit', { format: 'vitest', report, unhandled: [], code: 1 });
    expect(titles).toEqual({ 'a.test.ts': { passed: ['adds (a.test.ts)'], skipped: ['holds (a.test.ts)'] } });
  });
});

test('each title of tests/flaky.json names a file that exists', () => {
  const titles = JSON.parse(readFileSync(join(root, 'tests/flaky.json'), 'utf8')) as string[];
  expect(titles.filter((title) => !existsSync(join(root, /\(([^()]+)\)$/.exec(title)?.[1] ?? title)))).toEqual([]);
});

function vitestReport(tests: Record<string, 'passed' | 'failed' | 'skipped'>) {
  const states = Object.entries(tests);
  const many = (state: string) => states.filter(([, one]) => one === state).length;
  return {
    ...{ numPassedTests: many('passed'), numFailedTests: many('failed'), numPendingTests: many('skipped'), numTodoTests: 0 },
    testResults: [
      {
        ...{ name: 'a.test.ts', status: many('failed') > 0 ? 'failed' : 'passed' },
        assertionResults: states.map(([fullName, status]) => ({ fullName, status, failureMessages: [`why ${fullName}`] })),
      },
    ],
  };
}
