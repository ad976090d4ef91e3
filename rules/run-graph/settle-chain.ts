import { isEnded, type StepState } from './run-state.ts';
import type { Settlement } from './settle-run.ts';

/**
 * The same as `settleRun` for a chain: steps in order, each with one link to the next that neither chooses nor holds. A step that ended without a result has
 * ended the run, so the first step that has not ended is the only one that can begin. It takes time in proportion to steps, and no memory.
 */
export function settleChain<Step extends { status: StepState['status'] }>(
  steps: readonly Step[],
  toState: (step: Step) => StepState,
): Settlement {
  const next = steps.find(({ status }) => !isEnded(status));
  return {
    skipped: [],
    cancelled: [],
    added: [],
    withdrawn: [],
    itemized: [],
    ready: next?.status === 'pending' ? [toState(next)] : [],
    failure: null,
    isDone: next === undefined,
  };
}
