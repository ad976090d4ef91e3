import { stripVTControlCharacters } from 'node:util';
import type { ReportFormat } from './tally.ts';

/** A test, or a file of tests, that failed, and the first lines of why. */
export type Failure = { title: string; reason: string };

/** The number of lines that identify an assertion. */
const linesOfReason = 8;

/** The failed tests of a runner's JSON report, to print them again at the end. */
export function failuresOf(format: ReportFormat, report: unknown): Failure[] {
  const found = format === 'vitest' ? failuresOfVitest(report as VitestReport) : failuresOfPlaywright(report as PlaywrightReport);
  return found.map(({ title, reason }) => ({ title, reason: firstLines(reason) }));
}

export function formatFailure({ title, reason }: Failure): string {
  return `✗ ${title}\n${reason.replaceAll(/^/gm, '    ')}`;
}

function firstLines(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n').slice(0, linesOfReason).join('\n');
}

type VitestReport = {
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
};

/** A file that could not be loaded has no tests: the file itself counts as failed. */
function failuresOfVitest({ testResults = [] }: VitestReport): Failure[] {
  return testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [{ title: name, reason: message }] : [];
    return failed.map(({ fullName, failureMessages = [] }) => ({ title: `${fullName} (${name})`, reason: failureMessages.join('\n') }));
  });
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string; results: { errors?: { message?: string }[] }[] }[] }[];
};
type PlaywrightReport = { suites?: PlaywrightSuite[]; errors?: { message?: string }[] };

function failuresOfPlaywright({ suites = [], errors = [] }: PlaywrightReport): Failure[] {
  const outside = errors.map(({ message = '' }) => ({ title: 'outside the tests', reason: message }));
  return [...outside, ...suites.flatMap(failuresOfSuite)];
}

function failuresOfSuite({ suites = [], specs = [] }: PlaywrightSuite): Failure[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        title: `${title} (${file})`,
        reason: results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message)).join('\n'),
      })),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}
