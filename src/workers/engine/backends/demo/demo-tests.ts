import type { TestCounts, TestRun } from '../../../../../contract/executions/test-run.ts';

/** Simulated tests of the script: nothing is executed. */
export function demoTestRun([passed, failed]: readonly [number, number], startedAt: string): TestRun {
  return {
    ...{ command: 'npm test', state: 'ended', exitCode: failed > 0 ? 1 : 0, reason: null, ms: 0, hasLog: true, startedAt },
    ...{ counts: { passed, failed }, simulated: true },
  };
}

export function demoTestLog({ passed, failed }: TestCounts): string {
  const failure = 'not ok 4 - one email after two clicks\n  expected: 1, actual: 2\n';
  return `${failed > 0 ? failure : ''}# pass ${passed}\n# fail ${failed}\n`;
}
