import type { Question } from '../../../../contract/executions/question.ts';
import type { InstallNeeds } from '../../../../contract/runner.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { Transition } from '../transitions/transition.ts';
import { openQuestion } from './ask-person.ts';

/**
 * Whether a run asks a person about hosts that its install step was refused: once, and only with words from outside in it. They may have named the
 * packages. In any other run the log names the host and the operator's setting.
 */
export function asksForHosts({ hasOutside, installHosts }: Pick<ExecutionRow, 'hasOutside' | 'installHosts'>): boolean {
  return hasOutside && installHosts === null;
}

/**
 * Leaves a step whose install step needs hosts beyond the operator's list, with a question. Its tests are executed again once it is answered: with these
 * hosts, or without them. A step that another one was faster than begins again without a question.
 */
export async function askHosts(change: Transition, step: StepRow, needs: InstallNeeds): Promise<void> {
  const asks = asksForHosts(change.row);
  const left = await change.setStep(step, { status: asks ? 'waiting' : 'pending', completedAt: null });
  change.record('step.waiting', { step: left });
  if (!asks) return;
  change.set({ installHosts: { stepId: step.stepId, hosts: needs.hosts.map(({ host }) => host), state: 'open' } });
  await openQuestion(change, left, {
    kind: 'install',
    reason: 'install',
    actions: ['approve', 'refuse', 'stop'],
    linkIds: [],
    buttons: [],
    waiting: [],
    whenDue: 'handOn',
    install: needs,
  });
}

/** Stores what a person has decided about the hosts of an install step, or that the question has expired. Returns the step, which executes its tests again. */
export async function decideHosts(it: Transition, step: StepRow, action: Question['actions'][number] | null): Promise<StepRow> {
  const state = action === null ? 'expired' : action === 'approve' ? 'allowed' : 'refused';
  if (it.row.installHosts) it.set({ installHosts: { ...it.row.installHosts, state } });
  return it.setStep(step, { status: 'pending' });
}
