import type { LimitReached } from '../../../../contract/budget.ts';
import type { GivenAnswer } from '../../../../contract/executions/question.ts';
import type { Language } from '../../../http/call.ts';
import { raiseLimit } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { Transition } from '../transitions/transition.ts';
import { isStillLimit } from './handle-reached-limit.ts';

/**
 * Carries out what a person has decided about a budget. The person raises it for this run, day or month, or ends the run with the results
 * so far. Returns the step, which begins again. Throws `bad_request` for a new figure that is used already.
 */
export async function answerBudget(
  it: Transition,
  step: StepRow,
  limit: LimitReached,
  { action, limit: figure }: GivenAnswer,
  language: Language,
): Promise<StepRow> {
  if (action === 'endHere') return endAtBudget(it, step);
  if (action === 'goOn') it.set({ unpricedAllowed: true });
  else await raiseLimit(it.tx(), { limit, userId: it.row.userId, executionId: it.row.id, figure: figure ?? null }, language);
  return release(it, step);
}

/**
 * Ends a question about a budget that is due: the run ends with what there is. Where the owner has raised or removed the limit meanwhile, the step
 * begins again.
 */
export async function expireBudget(it: Transition, step: StepRow, limit: LimitReached): Promise<StepRow> {
  return (await isStillLimit(it, limit)) ? endAtBudget(it, step) : release(it, step);
}

/** Ends the run with what there is, once the steps under way have finished. */
async function endAtBudget(it: Transition, step: StepRow): Promise<StepRow> {
  it.set({ limited: true });
  return release(it, step);
}

async function release(it: Transition, step: StepRow): Promise<StepRow> {
  it.set({ budgetHold: null });
  return it.setStep(step, { status: 'pending' });
}
