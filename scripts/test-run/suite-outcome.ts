import { type Failure, failuresOf } from './failures.ts';
import { talliesOfFiles, testsOf, titlesOfFiles } from './report-tests.ts';
import type { SuiteResult } from './suite-results.ts';
import { type ReportFormat, tallyOfExit, tallyOfReport } from './tally.ts';

export type Outcome = Pick<SuiteResult, 'tally' | 'failures' | 'files' | 'titles'>;

/** What a runner left: its JSON report, the errors that this leaves out, and the exit status, which is null after a signal. */
type Left = { format: ReportFormat; report: unknown; unhandled: string[]; code: number | null };

/** The result of a suite by its runner's report. Each failure that is counted is named, so that none is lost when others are forgiven. */
export function outcomeOfReport(suite: string, { format, report, unhandled, code }: Left): Outcome {
  const tally = tallyOfReport(format, report, code);
  const failures: Failure[] = failuresOf(format, report, unhandled);
  if (code !== 0 && code !== 1) failures.push({ title: suite, reason: `The runner ended with ${code ?? 'a signal'}.` });
  if (failures.length < tally.failed) failures.push({ title: suite, reason: 'The runner failed without a failed test, or ran no test.' });
  const tests = testsOf(format, report);
  return { tally: { ...tally, failed: failures.length }, failures, files: talliesOfFiles(tests), titles: titlesOfFiles(tests) };
}

/** The result of a suite without tests, or of one whose runner left no report. */
export function outcomeOfExit(suite: string, code: number | null, reason = 'See its output above.'): Outcome {
  return { tally: tallyOfExit(code), failures: code === 0 ? [] : [{ title: suite, reason }] };
}
