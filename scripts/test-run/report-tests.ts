import { isAbsolute, join, relative } from 'node:path';
import type { ReportFormat, Tally } from './tally.ts';

/** A test of a runner's report. `file` is the path from the root. */
export type ReportedTest = { file: string; title: string; state: keyof Tally; reason: string };

type VitestReport = {
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
};
type PlaywrightSuite = {
  title?: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string; results: { errors?: { message?: string }[] }[] }[] }[];
};
type PlaywrightReport = { config?: { rootDir?: string }; suites?: PlaywrightSuite[]; errors?: { message?: string }[] };

/** The titles of a file's tests that passed, and of those that were skipped. */
export type FileTitles = { passed: string[]; skipped: string[] };

const root = join(import.meta.dirname, '..', '..');
const stateOf: Record<string, keyof Tally> = {
  ...{ passed: 'passed', expected: 'passed' },
  ...{ failed: 'failed', unexpected: 'failed', flaky: 'failed' },
};

export function testsOf(format: ReportFormat, report: unknown): ReportedTest[] {
  if (format === 'vitest') return ((report as VitestReport).testResults ?? []).flatMap(testsOfFile);
  const { config, suites = [] } = report as PlaywrightReport;
  // The outermost groups are the files.
  return suites.flatMap((suite) => testsOfGroup(suite, config?.rootDir ?? '', []));
}

/** Files that failed without a failed test: they could not be loaded, or one of their hooks failed. */
export function failedFilesOf(format: ReportFormat, report: unknown): { file: string; reason: string }[] {
  if (format === 'playwright') return [];
  return ((report as VitestReport).testResults ?? [])
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'))
    .map(({ name, message = '' }) => ({ file: pathFromRoot(name), reason: message }));
}

/** Errors that belong to no test and no file. Vitest's report has none: its other reporter of the suite writes them. */
export function outsideErrorsOf(format: ReportFormat, report: unknown): string[] {
  return format === 'vitest' ? [] : ((report as PlaywrightReport).errors ?? []).map(({ message = '' }) => message);
}

/** How the tests of each file ended. */
export function talliesOfFiles(tests: ReportedTest[]): Record<string, Tally> {
  const tallies: Record<string, Tally> = {};
  for (const { file, state } of tests) {
    tallies[file] ??= { passed: 0, failed: 0, skipped: 0 };
    tallies[file][state] += 1;
  }
  return tallies;
}

/** Which tests of each file passed, and which were skipped. The failures have the titles of the others. */
export function titlesOfFiles(tests: ReportedTest[]): Record<string, FileTitles> {
  const titles: Record<string, FileTitles> = {};
  for (const { file, title, state } of tests) {
    titles[file] ??= { passed: [], skipped: [] };
    if (state !== 'failed') titles[file][state].push(title);
  }
  return titles;
}

function testsOfFile({ name, assertionResults }: NonNullable<VitestReport['testResults']>[number]): ReportedTest[] {
  const file = pathFromRoot(name);
  return assertionResults.map(({ status, fullName, failureMessages = [] }) => ({
    ...{ file, title: `${fullName} (${file})` },
    ...{ state: stateOf[status] ?? 'skipped', reason: failureMessages.join('\n') },
  }));
}

function testsOfGroup({ suites = [], specs = [] }: PlaywrightSuite, folder: string, groups: string[]): ReportedTest[] {
  const own = specs.flatMap((spec) => {
    const file = pathFromRoot(join(folder, spec.file));
    return spec.tests.map(({ status, results }) => ({
      ...{ file, title: `${[...groups, spec.title].join(' ')} (${file})`, state: stateOf[status] ?? 'skipped' },
      reason: results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message)).join('\n'),
    }));
  });
  return [...own, ...suites.flatMap((suite) => testsOfGroup(suite, folder, suite.title ? [...groups, suite.title] : groups))];
}

function pathFromRoot(path: string): string {
  return (isAbsolute(path) ? relative(root, path) : path).replaceAll('\\', '/');
}
