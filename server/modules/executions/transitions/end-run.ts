import type { TokenUsage } from '../../../../contract/common.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { Failure } from '../../../../contract/errors.ts';
import type { SpendRow } from '../../budgets/index.ts';
import type { Recorder } from '../../results/index.ts';
import { failureEndsRun } from '../graph/compiled-graph.ts';
import { failureFor } from '../store/failure-texts.ts';
import { withdrawingQuestions } from '../store/question-rows.ts';
import { recordedOutcome, recordedRun } from '../store/recorded-run.ts';
import { finalAnswer, type StepRow } from '../store/rows.ts';
import { closeCalls, cutOffStep, skipSteps, storeSpend } from './change-steps.ts';
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

/** The ends of executions, and of the steps that an end cuts off. Each is recorded in the history. */
export class RunEnds {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Completes an execution; `result` is its answer. */
  async complete(change: Transition, result: string): Promise<void> {
    change.set({ status: 'completed', pauseRequested: false, singleStep: false, completedAt: change.now });
    change.record('execution.completed', { text: result });
    await this.#record(change);
  }

  /** Ends a run at its budget with what there is. Steps that have not ended are skipped. A run in which none has ended has failed. */
  async endLimited(change: Transition): Promise<void> {
    withdrawAll(change);
    const steps = await change.steps();
    const failure = failureFor({ code: 'budget_reached' }, change.row.language, { agent: stoppedAt(steps) });
    const left = steps.filter(({ status }) => status === 'pending' || status === 'waiting');
    for (const step of left) closeCalls(change, step);
    await skipSteps(change, left);
    change.set({ stepsDone: change.row.stepsTotal, budgetHold: null });
    const hasResult = steps.some(({ status }) => status === 'completed' || status === 'reused');
    if (hasResult) await this.complete(change, finalAnswer({ status: 'completed' }, await change.steps()) ?? '');
    else await this.fail(change, null, { failure, durationMs: 0 });
  }

  /** Cancels an execution in any unfinished status. */
  async cancel(change: Transition): Promise<void> {
    await cutOffRunning(change);
    const leaseEpoch = change.row.leaseEpoch + 1;
    change.set({ status: 'cancelled', pauseRequested: false, singleStep: false, leaseEpoch, completedAt: change.now });
    change.record('execution.cancelled');
    await this.#record(change);
  }

  /** Fails an execution, with or without one of its steps as the cause. Cancels steps that run or wait. */
  async fail(change: Transition, step: StepRow | null, failed: StepFailure): Promise<void> {
    if (step) await storeFailedStep(change, step, failed);
    await cutOffRunning(change);
    const { failure } = failed;
    change.set({ status: 'failed', error: failure, failedAt: change.now, pauseRequested: false, singleStep: false });
    change.record('execution.failed', { error: failure });
    await this.#record(change);
  }

  /** Fails a step that no attempt works on, and its execution unless the graph goes on without it. Returns whether the execution has ended. */
  async failStep(change: Transition, step: StepRow, failure: Failure): Promise<boolean> {
    if (failureEndsRun(change.row.graph, step)) {
      change.set({ leaseEpoch: change.row.leaseEpoch + 1 });
      await this.fail(change, step, { failure, durationMs: 0 });
      return true;
    }
    closeCalls(change, step);
    const failed = await change.setStep(step, { status: 'failed', error: failure, completedAt: change.now });
    change.record('step.failed', { step: failed, error: failure });
    return false;
  }

  /** Fails an execution whose attempts are used up. Returns false when it has already ended. */
  async failExhausted(change: Transition): Promise<boolean> {
    const { row } = change;
    if (row.status !== 'pending' && row.status !== 'running') return false;
    const step = await firstUnfinished(change);
    const failure = failureFor({ code: 'attempts_exhausted' }, row.language, { agent: stoppedAt(await change.steps()) });
    change.set({ leaseEpoch: row.leaseEpoch + 1 });
    await this.fail(change, step, { failure, durationMs: 0 });
    return true;
  }

  async #record(change: Transition): Promise<void> {
    const steps = await change.steps();
    const outcome = recordedOutcome(change.row, steps);
    if (!outcome) throw new Error('A run is recorded as ended that has not.');
    change.addWrite(this.#recorder.ended(recordedRun(change.row, steps), outcome));
    const { id: executionId, userId, projectId, initialTask: task, status, error, limited } = change.row;
    const code = status === 'failed' && error ? { code: error.code } : {};
    const texts = { task, ...(status === 'failed' && error && { message: error.message }) };
    const about = { executionId, status, ...code, ...(limited && { limited }), texts };
    change.tell({ event: 'run.ended', userId, projectId, about, at: change.now });
  }
}

export function pauseRun(change: Transition): void {
  change.set({ status: 'paused', pauseRequested: false, singleStep: false });
  change.record('execution.paused');
}

/** Stores the failure of a step with what it has cost. */
export async function storeFailedStep(change: Transition, step: StepRow, { failure, spend, ...facts }: StepFailure): Promise<void> {
  storeSpend(change, spend);
  closeCalls(change, step);
  const failed = await change.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: change.now });
  change.record('step.failed', { step: failed, error: failure });
}

/** Returns the first step that runs or has not begun. */
export async function firstUnfinished(change: Transition): Promise<StepRow | null> {
  return (await change.steps()).find(isUnfinished) ?? null;
}

function isUnfinished({ status }: Pick<StepRow, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Returns the name of the step at which a run stops: the first that runs or has not begun, else one that waits for a person, else the last. */
export function stoppedAt(steps: readonly Pick<StepRow, 'status' | 'agentTitle' | 'name'>[]): string {
  const step = steps.find(isUnfinished) ?? steps.find(({ status }) => status === 'waiting') ?? steps.at(-1);
  return step?.agentTitle || step?.name || '';
}

/** Cancels steps that run or wait for a person, and withdraws all questions. */
async function cutOffRunning(change: Transition): Promise<void> {
  withdrawAll(change);
  for (const step of await change.steps()) if (step.status === 'running' || step.status === 'waiting') await cutOffStep(change, step);
}

function withdrawAll(change: Transition): void {
  if (change.row.openQuestions === 0) return;
  change.addWrite(withdrawingQuestions(null));
  change.set({ openQuestions: 0 });
}
