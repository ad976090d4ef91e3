import type { TestCounts, TestRun } from '../../contract/executions/test-run.ts';

/** Returns tests that nothing has executed, as an ended execution that is marked as simulated. */
export function simulatedTestRun(command: string, counts: TestCounts, startedAt: string): TestRun {
  return {
    command,
    state: 'ended',
    exitCode: counts.failed > 0 ? 1 : 0,
    reason: null,
    ms: 0,
    hasLog: true,
    startedAt,
    counts,
    simulated: true,
  };
}

/** Returns the lines with which a log in TAP ends. */
export function tapSummary({ passed, failed }: TestCounts): string[] {
  return [`# pass ${passed}`, `# fail ${failed}`, ''];
}
