import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Bus } from './bus.ts';

export type EndedStep = { outcome: 'completed' | 'failed' | 'cancelled'; step: StepRun; event: ExecutionEvent };

/** Calls each listener with each step of an execution that this process reports as ended, once for each step. */
export function onStepEnd(bus: Pick<Bus, 'onEvent'>, listeners: readonly ((ended: EndedStep) => void)[]): void {
  for (const outcome of ['completed', 'failed', 'cancelled'] as const)
    bus.onEvent([`step.${outcome}`], (event) => {
      const { step } = event;
      if (step) for (const listener of listeners) listener({ outcome, step, event });
    });
}
