import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { BusMessage } from './bus.ts';

type EndedStep = { outcome: 'completed' | 'failed' | 'cancelled'; step: StepRun; event: ExecutionEvent };

/** Returns the step of an execution that a message reports as ended, once for each step; null for other messages. */
export function endedStep(message: BusMessage): EndedStep | null {
  if (message.type !== 'pipeline_update') return null;
  const { event } = message;
  const outcome = outcomes[event.type];
  return outcome && event.step ? { outcome, step: event.step, event } : null;
}

const outcomes: Partial<Record<ExecutionEvent['type'], EndedStep['outcome']>> = {
  'step.completed': 'completed',
  'step.failed': 'failed',
  'step.cancelled': 'cancelled',
};
