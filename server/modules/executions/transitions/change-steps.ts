import type { ChangedStep } from '../../../../contract/executions/execution-event.ts';
import { isEnded } from '../../../../rules/run-graph/run-state.ts';
import { distinct } from '../../../platform/database/unique-rows.ts';
import { collectSpent, type SpendRow, storingSpend } from '../../budgets/index.ts';
import { type FileChange, storingFiles } from '../../files/index.ts';
import { recordThought, thoughtMessage } from '../../thoughts/index.ts';
import { originOf } from '../graph/step-states.ts';
import { withdrawingQuestions } from '../store/question-rows.ts';
import type { StepRow } from '../store/rows.ts';
import { closingCalls } from '../store/tool-call-rows.ts';
import type { Transition } from './transition.ts';

/** Marks a step as running, for the first time or after an attempt that was cut off. */
export async function beginStep(change: Transition, step: StepRow): Promise<StepRow> {
  const isCutOff = step.status === 'running';
  // The calls of the earlier attempt may not be stored with the step yet.
  const spent = isCutOff ? await collectSpent(change.tx(), step) : null;
  const running = await change.setStep(step, {
    status: 'running',
    startedAt: step.startedAt ?? change.now,
    attempts: step.attempts + 1,
    error: null,
    leaseEpoch: change.row.leaseEpoch,
    ...spent,
  });
  change.record(isCutOff ? 'step.retrying' : 'step.started', { step: running });
  return running;
}

/** Marks steps as skipped: nothing is handed on from them. */
export async function skipSteps(change: Transition, skipped: readonly StepRow[]): Promise<void> {
  if (skipped.length === 0) return;
  const ids = skipped.map(({ stepId }) => stepId);
  await change.setSteps(ids, { status: 'skipped', completedAt: change.now });
  const changedSteps = skipped.map(
    (row): ChangedStep => ({ stepId: row.stepId, pipelineStepId: originOf(row), round: row.round, item: row.item, status: 'skipped' }),
  );
  change.record('step.skipped', { changedSteps });
}

/** Ends a step without its answer: another link was first, or the run ends. */
export async function cutOffStep(change: Transition, row: StepRow): Promise<void> {
  closeCalls(change, row);
  const step = await change.setStep(row, { status: 'cancelled', completedAt: change.now });
  change.record('step.cancelled', { step });
}

/** Withdraws the open question of a step. Its hand-off leads nowhere. */
export async function withdrawQuestion(change: Transition, row: StepRow): Promise<void> {
  change.addWrite(withdrawingQuestions([row.stepId]));
  const { openQuestions, budgetHold, installHosts } = change.row;
  change.set({
    openQuestions: openQuestions - 1,
    ...(budgetHold === row.stepId && { budgetHold: null }),
    ...(installHosts?.state === 'open' && installHosts.stepId === row.stepId && { installHosts: null }),
  });
  const step = row.handOff ? await change.setStep(row, { handOff: { ...row.handOff, state: 'skipped' } }) : row;
  change.record('question.withdrawn', { step });
}

/** Updates the execution's counts, from which its progress is computed. */
export async function countSteps(change: Transition): Promise<void> {
  const steps = await change.steps();
  let stepsDone = 0;
  for (const { status } of steps) if (isEnded(status)) stepsDone += 1;
  if (stepsDone !== change.row.stepsDone || steps.length !== change.row.stepsTotal) change.set({ stepsDone, stepsTotal: steps.length });
}

/** The calls of a step that ends without its answer end with it. */
export function closeCalls(change: Transition, { stepId, turns }: StepRow): void {
  if (turns > 0) change.addWrite(closingCalls(stepId, change.now));
}

/** Stores files of a step. The newest version of a file is that of the step that ended last: in a chain, that of the later step. */
export function storeFiles(change: Transition, { stepId, orderIndex }: StepRow, files: readonly FileChange[]): void {
  if (files.length === 0) return;
  const rows = distinct(files, ({ path }) => path);
  change.addWrite(storingFiles({ stepId, orderIndex: change.row.graph ? change.row.lastSeq : orderIndex }, rows));
  if (!change.row.hasFiles) change.set({ hasFiles: true });
}

/** Stores model calls of a step with its change. */
export function storeSpend(change: Transition, rows: readonly SpendRow[] = []): void {
  if (rows.length > 0) change.addWrite(storingSpend(rows));
}

/** Stores the provider's thoughts before an answer, and sends them to the owner. */
export function recordThinking(change: Transition, { stepId, agentId }: StepRow, content: string, id: string): void {
  const { userId, projectId, id: executionId } = change.row;
  const thought = { id, userId, agentId, projectId, executionId, stepId, content, createdAt: change.now };
  change.addWrite(recordThought(thought));
  change.notifyOwner(thoughtMessage(thought));
}
