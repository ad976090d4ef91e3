import type { LimitReached } from '../../../../contract/budget.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { SpendRow } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import { storeSpend } from '../work/end-run.ts';
import type { Transition } from '../work/transition.ts';
import { openQuestion } from './ask-person.ts';

type Reached = { limit: LimitReached; atLimit: 'ask' | 'stop'; cost: Cost; spend: readonly SpendRow[] };

/**
 * Leaves a step whose call does not fit into a budget. The run asks once, or ends with what there is; further steps that meet the limit wait for
 * the same answer. Steps under way finish, and nothing new begins.
 */
export async function handleReachedLimit(it: Transition, step: StepRow, { limit, atLimit, cost, spend }: Reached): Promise<void> {
  storeSpend(it, spend);
  const asks = atLimit === 'ask' && it.row.budgetHold === null && !it.row.limited;
  if (atLimit === 'stop') it.set({ limited: true });
  const left = await it.setStep(step, { cost, status: asks ? 'waiting' : 'pending', completedAt: null });
  it.record('step.waiting', { step: left });
  if (!asks) return;
  it.set({ budgetHold: step.stepId });
  await openQuestion(it, left, {
    ...{ kind: 'budget', reason: limit.kind === 'price' ? 'price' : 'budget', linkIds: [], buttons: [], waiting: [], whenDue: 'skip' },
    ...{ actions: limit.kind === 'price' ? ['goOn', 'endHere'] : ['asMuchAgain', 'newLimit', 'endHere'], budget: limit },
  });
}
