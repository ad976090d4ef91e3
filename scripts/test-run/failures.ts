import { stripVTControlCharacters } from 'node:util';
import { failedFilesOf, outsideErrorsOf, testsOf } from './report-tests.ts';
import type { ReportFormat } from './tally.ts';

/** A test, or a file of tests, that failed, and the first lines of why. */
export type Failure = {
  title: string;
  reason: string;
  /** The path from the root of the file that can run again. Missing for an error outside the tests, and for a suite without tests. */
  file?: string;
};

/** The number of lines that identify an assertion. */
const linesOfReason = 8;
const outside = 'outside the tests';

/** The failed tests of a runner's JSON report, to print them again at the end. `unhandled` are the errors that the report leaves out. */
export function failuresOf(format: ReportFormat, report: unknown, unhandled: string[] = []): Failure[] {
  const errors = [...outsideErrorsOf(format, report), ...unhandled].map((reason) => ({ title: outside, reason }));
  const tests = testsOf(format, report).filter(({ state }) => state === 'failed');
  const files = failedFilesOf(format, report);
  return [
    ...errors,
    ...tests.map(({ title, reason, file }) => ({ title, reason, file })),
    ...files.map(({ file, reason }) => ({ title: file, reason, file })),
  ].map((failure) => ({ ...failure, reason: firstLines(failure.reason) }));
}

export function formatFailure({ title, reason }: Failure): string {
  return `✗ ${title}\n${reason.replaceAll(/^/gm, '    ')}`;
}

function firstLines(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n').slice(0, linesOfReason).join('\n');
}
