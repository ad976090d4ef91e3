import type { Recorder } from '../../results/index.ts';
import { recordedOutcome } from '../store/recorded-run.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Claim } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import type { RunTransition } from '../transitions/transitions.ts';

export type StoreCancelledCost = (claim: Claim, paid: Paid) => Promise<void>;

/**
 * Stores what a step has cost that was cancelled during its calls: with the step, in the log, and in the history of an ended run. Only the attempt
 * that has begun the step last stores it: what another one has lost is counted there.
 */
export function createStoreCancelledCost({ transition, recorder }: { transition: RunTransition; recorder: Recorder }): StoreCancelledCost {
  return async ({ row, step: { stepId } }, { cost, usage, spend }) => {
    await transition({ id: row.id }, async (change) => {
      const step = (await change.steps()).find((known) => known.stepId === stepId);
      if (step?.status !== 'cancelled' || step.leaseEpoch !== row.leaseEpoch) return;
      storeSpend(change, spend);
      change.record('step.charged', { step: await change.setStep(step, { cost, usage }) });
      const outcome = recordedOutcome(change.row, await change.steps());
      if (outcome) change.addWrite(recorder.charged(row.id, outcome));
    });
  };
}
