import type { TestCounts, TestRun } from '../../../../../contract/executions/test-run.ts';

/** Simulated tests of the script: nothing is executed. `byAgent`: the agent has asked for them in its step. */
export function demoTestRun([passed, failed]: readonly [number, number], startedAt: string, byAgent: boolean): TestRun {
  return {
    command: 'vitest',
    state: 'ended',
    exitCode: failed > 0 ? 1 : 0,
    reason: null,
    ms: 0,
    hasLog: true,
    startedAt,
    counts: { passed, failed },
    simulated: true,
    ...(byAgent && { byAgent }),
  };
}

/** The log of simulated tests, as TAP ends. */
export function demoTestLog({ passed, failed }: TestCounts, failure: string): string {
  return [...(failed > 0 ? [failure] : []), `# pass ${passed}`, `# fail ${failed}`, ''].join('\n');
}
