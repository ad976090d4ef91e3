import { expect, test } from 'vitest';
import type { ExecutionStatus, StepStatus } from '../../../../contract/executions/execution.ts';
import { deriveCommandState } from '../../../../server/modules/commands/derive-command-state.ts';
import type { StepWithExecution } from '../../../../server/modules/executions/index.ts';

const failure = { code: 'model_unavailable', message: 'Away' } as const;
const stepIn = (execution: ExecutionStatus, step: StepStatus): StepWithExecution =>
  ({
    execution: { status: execution, error: failure },
    step: { status: step, result: 'Words', error: failure, durationMs: 7, simulated: true },
  }) as StepWithExecution;

test.each([
  ['running', 'pending', { kind: 'waits', status: 'pending' }],
  ['paused', 'pending', { kind: 'waits', status: 'pending' }],
  ['running', 'running', { kind: 'waits', status: 'running' }],
  ['running', 'completed', { kind: 'ended', ending: { status: 'completed', result: 'Words', executionTimeMs: 7, simulated: true } }],
  ['failed', 'completed', { kind: 'ended', ending: { status: 'completed', result: 'Words' } }],
  ['failed', 'failed', { kind: 'ended', ending: { status: 'failed', error: failure, result: null } }],
  ['failed', 'pending', { kind: 'ended', ending: { status: 'failed', error: failure } }],
  ['cancelled', 'pending', { kind: 'ended', ending: { status: 'cancelled', error: null } }],
  ['cancelled', 'cancelled', { kind: 'ended', ending: { status: 'cancelled' } }],
] as const)('R23.01 in a run that is %s, a command that has joined a step that is %s', (execution, step, expected) => {
  expect(deriveCommandState(stepIn(execution, step))).toMatchObject(expected);
});

test('R23.01 a command whose run is gone is cancelled', () => {
  expect(deriveCommandState(undefined)).toMatchObject({ kind: 'ended', ending: { status: 'cancelled' } });
});
