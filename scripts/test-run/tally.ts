/** How many tests (or, in a suite without tests, checks) ended how. */
export type Tally = { passed: number; failed: number; skipped: number };

export type ReportFormat = 'vitest' | 'playwright';

export function addTallies(tallies: Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({ passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

export function formatTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A suite without a report is one check: its exit status. */
export function tallyOfExit(code: number | null): Tally {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * Counts the tests of a runner's JSON report. A runner may fail although every test passed: a file did not load, an error came outside the
 * tests, or there are no tests. It adds one failure, so that the sum hides no error.
 */
export function tallyOfReport(format: ReportFormat, report: unknown, code: number | null): Tally {
  const tally = format === 'vitest' ? tallyOfVitest(report as VitestReport) : tallyOfPlaywright(report as PlaywrightReport);
  const ran = tally.passed + tally.failed + tally.skipped;
  return (code !== 0 && tally.failed === 0) || ran === 0 ? { ...tally, failed: tally.failed + 1 } : tally;
}

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number };

function tallyOfVitest(report: VitestReport): Tally {
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests };
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };

function tallyOfPlaywright({ stats }: PlaywrightReport): Tally {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}
