import type { LimitReached } from '../../../../contract/budget.ts';
import type { GivenAnswer } from '../../../../contract/executions/question.ts';
import type { Language } from '../../../http/call.ts';
import { raiseLimit } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { Transition } from '../work/transition.ts';

/**
 * Carries out what a person has decided about a budget: more of it for this run, day or month, or the end of the run with what there is. Returns
 * the step, which begins again. Throws `bad_request` for a new figure that is used already.
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

/** Ends the run with what there is, once the steps under way have finished. */
export async function endAtBudget(it: Transition, step: StepRow): Promise<StepRow> {
  it.set({ limited: true });
  return release(it, step);
}

async function release(it: Transition, step: StepRow): Promise<StepRow> {
  it.set({ budgetHold: null });
  return it.setStep(step, { status: 'pending' });
}
