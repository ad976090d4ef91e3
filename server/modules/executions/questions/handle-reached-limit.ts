import type { LimitReached } from '../../../../contract/budget.ts';
import { isStillReached } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Paid } from '../transitions/end-run.ts';
import type { Transition } from '../transitions/transition.ts';
import { openQuestion } from './ask-person.ts';

type Reached = Paid & { limit: LimitReached; atLimit: 'ask' | 'stop' };

/**
 * Leaves a step whose call does not fit into a budget. The run asks once, or ends with what there is; further steps that meet the limit wait for
 * the same answer. Steps under way finish, and nothing new begins. A step whose limit was raised meanwhile begins again without a question.
 */
export async function handleReachedLimit(it: Transition, step: StepRow, { limit, atLimit, spend, ...used }: Reached): Promise<void> {
  storeSpend(it, spend);
  const decides = !it.row.limited && (atLimit === 'stop' || it.row.budgetHold === null) && (await isStillLimit(it, limit));
  const asks = decides && atLimit === 'ask';
  if (decides && atLimit === 'stop') {
    const { id: executionId, userId, projectId, initialTask: task } = it.row;
    const about = { executionId, limit: limit.kind, span: limit.span, texts: { task } };
    it.tell({ event: 'budget.reached', userId, projectId, about, at: it.now });
    it.set({ limited: true });
  }
  const left = await it.setStep(step, { ...used, status: asks ? 'waiting' : 'pending', completedAt: null });
  it.record('step.waiting', { step: left });
  if (!asks) return;
  it.set({ budgetHold: step.stepId });
  await openQuestion(it, left, {
    kind: 'budget',
    reason: limit.kind === 'price' ? 'price' : 'budget',
    linkIds: [],
    buttons: [],
    waiting: [],
    whenDue: 'skip',
    actions: limit.kind === 'price' ? ['goOn', 'endHere'] : ['asMuchAgain', 'newLimit', 'endHere'],
    budget: limit,
  });
}

/**
 * Whether a call that was refused before this change began would be refused now. Since then a person may have answered for another step, or
 * changed the budget.
 */
export async function isStillLimit({ row, tx }: Transition, limit: LimitReached): Promise<boolean> {
  if (limit.kind === 'price' && row.unpricedAllowed) return false;
  return isStillReached(tx(), { limit, userId: row.userId, executionId: row.id });
}
