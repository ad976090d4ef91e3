import type { Failure } from './failures.ts';
import type { SuiteResult } from './suite-results.ts';
import type { Tally } from './tally.ts';

export type NamedResult = SuiteResult & { suite: string };

/** A file of which tests failed, and whose tests all passed when it ran once more, alone. */
export type FlakyFile = {
  suite: string;
  /** When the suite with the failure ended: a later run of the suite is not forgiven by it. */
  endedAt: string | null;
  file: string;
  titles: string[];
  /** How its tests ended in the rerun. */
  tally: Tally;
};

/** What one run leaves for its sum, and for the next run. */
export type FlakyRecord = {
  flaky: FlakyFile[];
  /** Titles that are not forgiven in the next run. */
  named: string[];
};

export type FlakyTest = Failure & { suite: string };

/** More failed tests in a run are no accident. */
const maxFlaky = 3;

/** The files to run once more, and sentences on what does not run. */
type Plan = { files: { suite: string; file: string }[]; refused: string[] };

/** A file runs once more, once a suite, if at most three tests of the run failed and no earlier run has named one of its own as flaky. */
export function planReruns(results: NamedResult[], named: string[]): Plan {
  const failed = failedTests(results);
  if (failed.length > maxFlaky) return { files: [], refused: [`${failed.length} tests failed: at most ${maxFlaky} run once more.`] };
  const again = failed.filter(({ title }) => named.includes(title));
  const files = new Map(failed.map(({ suite, file }) => [`${suite} ${file}`, { suite, file }]));
  for (const { suite, file } of again) files.delete(`${suite} ${file}`);
  return { files: [...files.values()], refused: again.map(({ title }) => `An earlier run has named it as flaky: ${title}`) };
}

/**
 * The file as flaky, or null if a test of it failed again. Each test that passed or failed before must pass now: one that was left out or
 * skipped in the rerun has not passed.
 */
export function judgeRerun(before: NamedResult, file: string, after: SuiteResult): FlakyFile | null {
  const was = before.titles?.[file] ?? { passed: [], skipped: [] };
  const is = after.titles?.[file];
  const tally = after.files?.[file];
  if (after.tally.failed > 0 || tally === undefined || is === undefined) return null;
  const titles = before.failures.filter((failure) => failure.file === file).map(({ title }) => title);
  const failed = titles.filter((title) => title !== file);
  if (!holdsAll(is.passed, [...was.passed, ...failed])) return null;
  // A file that failed itself does not say which of its tests would have run.
  if (titles.includes(file) && (is.passed.length === 0 || !holdsAll(was.skipped, is.skipped))) return null;
  return { suite: before.suite, endedAt: before.endedAt, file, titles, tally };
}

/** Returns whether `titles` holds each wanted title, as often as it is wanted: tests can have the same title. */
function holdsAll(titles: string[], wanted: string[]): boolean {
  const left = [...titles];
  return wanted.every((title) => {
    const place = left.indexOf(title);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** The titles that the next run does not forgive: those forgiven now, and those that were named before and failed again. */
export function namesForNextRun(results: NamedResult[], flaky: FlakyFile[], earlier: string[]): string[] {
  const failed = failedTests(results).map(({ title }) => title);
  return [...new Set([...flaky.flatMap(({ titles }) => titles), ...earlier.filter((title) => failed.includes(title))])];
}

/** Returns the results with the counts of the reruns in place of those of their files, and the tests that failed and passed alone. */
export function forgive(results: NamedResult[], { flaky }: FlakyRecord): { results: NamedResult[]; flakyTests: FlakyTest[] } {
  const flakyTests: FlakyTest[] = [];
  const forgiven = results.map((result) => {
    const files = flaky.filter(({ suite, endedAt }) => suite === result.suite && endedAt === result.endedAt);
    if (files.length === 0) return result;
    const isForgiven = ({ file }: Failure) => files.some((one) => one.file === file);
    flakyTests.push(...result.failures.filter(isForgiven).map((failure) => ({ ...failure, suite: result.suite })));
    const failures = result.failures.filter((failure) => !isForgiven(failure));
    const changeOf = (state: keyof Tally) =>
      files.reduce((sum, { file, tally }) => sum + tally[state] - (result.files?.[file]?.[state] ?? 0), 0);
    const { passed, skipped } = result.tally;
    const tally = { passed: passed + changeOf('passed'), failed: failures.length, skipped: skipped + changeOf('skipped') };
    return { ...result, failures, tally };
  });
  return { results: forgiven, flakyTests };
}

export function formatFlaky({ suite, title, reason }: FlakyTest): string {
  return `~ ${suite}: ${title}\n${reason.replaceAll(/^/gm, '    ')}\n  line for tests/flaky.json: ${JSON.stringify(title)}`;
}

function failedTests(results: NamedResult[]): (FlakyTest & { file: string })[] {
  return results.flatMap(({ suite, failures }) =>
    failures.flatMap(({ file, ...failure }) => (file === undefined ? [] : [{ ...failure, file, suite }])),
  );
}
