import type { StepWithExecution } from '../executions/index.ts';
import { type Ending, unanswered } from './rows.ts';

/** The state of a command that has joined a step: it still waits, or ends as the step did. */
type DerivedState = { kind: 'waits'; status: 'pending' | 'running' } | { kind: 'ended'; ending: Ending };

/**
 * A completed step gives its answer. A step that will not run fails with its execution's failure, or is cancelled with it;
 * the same holds for a command whose execution was removed.
 */
export function deriveCommandState(found: StepWithExecution | undefined): DerivedState {
  if (!found) return { kind: 'ended', ending: { ...unanswered, status: 'cancelled' } };
  const { execution, step } = found;
  const { provider, model, simulated, usage, durationMs: executionTimeMs } = step;
  const facts = { ...unanswered, provider, model, simulated, usage, executionTimeMs };
  switch (step.status) {
    case 'completed':
    case 'reused':
      return { kind: 'ended', ending: { ...facts, status: 'completed', result: step.result } };
    case 'failed':
      return { kind: 'ended', ending: { ...facts, status: 'failed', error: step.error } };
    case 'cancelled':
    case 'skipped':
      return { kind: 'ended', ending: { ...facts, status: 'cancelled' } };
    case 'pending':
    case 'running':
    case 'waiting':
      if (execution.status === 'failed') return { kind: 'ended', ending: { ...facts, status: 'failed', error: execution.error } };
      if (execution.status === 'cancelled' || execution.status === 'completed') {
        return { kind: 'ended', ending: { ...facts, status: 'cancelled' } };
      }
      return { kind: 'waits', status: step.status === 'pending' ? 'pending' : 'running' };
    default:
      return step.status satisfies never;
  }
}
