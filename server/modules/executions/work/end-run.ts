import type { TokenUsage } from '../../../../contract/common.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { Failure } from '../../../../contract/errors.ts';
import { type SpendRow, storingSpend } from '../../budgets/index.ts';
import type { Recorder } from '../../results/index.ts';
import { withdrawingQuestions } from '../questions/question-rows.ts';
import { finalAnswer, type StepRow } from '../store/rows.ts';
import { closingCalls } from '../tools/tool-call-rows.ts';
import { skipSteps } from './graph-outcomes.ts';
import { recordedOutcome, recordedRun } from './recorded-run.ts';
import type { Transition } from './transition.ts';

/** What a step has used and cost so far; `spend`: its calls that are not stored yet. */
export type Paid = { cost: Cost; usage: TokenUsage | null; spend: readonly SpendRow[] };

export type StepFailure = {
  failure: Failure;
  durationMs: number;
  provider?: string;
  model?: string;
  inputHash?: string;
} & Partial<Paid>;

export function pauseRun(change: Transition): void {
  change.set({ status: 'paused', pauseRequested: false, singleStep: false });
  change.record('execution.paused');
}

/** Completes an execution; `result` is its answer. */
export async function completeRun(change: Transition, result: string, recorder: Recorder): Promise<void> {
  change.set({ status: 'completed', pauseRequested: false, singleStep: false, completedAt: change.now });
  change.record('execution.completed', { text: result });
  await recordEnd(change, recorder);
}

/** Ends a run at its budget with what there is. Steps that have not ended are skipped. */
export async function endLimited(change: Transition, recorder: Recorder): Promise<void> {
  if (change.row.openQuestions > 0) {
    change.addWrite(withdrawingQuestions(null));
    change.set({ openQuestions: 0 });
  }
  const left = (await change.steps()).filter(({ status }) => status === 'pending' || status === 'waiting');
  for (const step of left) closeCalls(change, step);
  await skipSteps(change, left);
  change.set({ stepsDone: change.row.stepsTotal, budgetHold: null });
  await completeRun(change, finalAnswer({ status: 'completed' }, await change.steps()) ?? '', recorder);
}

/** Cancels an execution in any unfinished status. */
export async function cancelRun(change: Transition, recorder: Recorder): Promise<void> {
  await cutOffRunning(change);
  const leaseEpoch = change.row.leaseEpoch + 1;
  change.set({ status: 'cancelled', pauseRequested: false, singleStep: false, leaseEpoch, completedAt: change.now });
  change.record('execution.cancelled');
  await recordEnd(change, recorder);
}

/** Cancels steps that run or wait for a person, and withdraws all questions. */
async function cutOffRunning(change: Transition): Promise<void> {
  if (change.row.openQuestions > 0) {
    change.addWrite(withdrawingQuestions(null));
    change.set({ openQuestions: 0 });
  }
  for (const running of await change.steps()) {
    if (running.status !== 'running' && running.status !== 'waiting') continue;
    closeCalls(change, running);
    const step = await change.setStep(running, { status: 'cancelled', completedAt: change.now });
    change.record('step.cancelled', { step });
  }
}

/** Fails an execution with steps that run at the same time, with or without one of them as the cause. Cancels running steps. */
export async function failRun(change: Transition, step: StepRow | null, failed: StepFailure, recorder: Recorder): Promise<void> {
  const { failure, spend, ...facts } = failed;
  storeSpend(change, spend);
  if (step) {
    closeCalls(change, step);
    const ended = await change.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: change.now });
    change.record('step.failed', { step: ended, error: failure });
  }
  await cutOffRunning(change);
  change.set({ status: 'failed', error: failure, failedAt: change.now, pauseRequested: false, singleStep: false });
  change.record('execution.failed', { error: failure });
  await recordEnd(change, recorder);
}

/** Stores model calls of a step with its change. */
export function storeSpend(change: Transition, rows: readonly SpendRow[] = []): void {
  if (rows.length > 0) change.addWrite(storingSpend(rows));
}

/** The calls of a step that ends without its answer end with it. */
export function closeCalls(change: Transition, { stepId, turns }: StepRow): void {
  if (turns > 0) change.addWrite(closingCalls(stepId, change.now));
}

/** Fails an execution whose steps run one after another, at a step. */
export async function failChain(
  change: Transition,
  step: StepRow,
  { failure, spend, ...facts }: StepFailure,
  recorder: Recorder,
): Promise<void> {
  storeSpend(change, spend);
  closeCalls(change, step);
  const failed = await change.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: change.now });
  change.record('step.failed', { step: failed, error: failure });
  const activeMs = change.row.activeMs + facts.durationMs;
  change.set({ status: 'failed', error: failure, failedAt: change.now, activeMs, pauseRequested: false, singleStep: false });
  change.record('execution.failed', { error: failure });
  await recordEnd(change, recorder);
}

async function recordEnd(change: Transition, recorder: Recorder): Promise<void> {
  const steps = await change.steps();
  const outcome = recordedOutcome(change.row, steps);
  if (!outcome) throw new Error('A run is recorded as ended that has not.');
  change.addWrite(recorder.ended(recordedRun(change.row, steps), outcome));
}
