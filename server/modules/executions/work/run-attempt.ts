import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '../../../../contract/errors.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Bus, BusMessage } from '../../../platform/bus/bus.ts';
import type { Db } from '../../../platform/database/database.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Job, JobOutcome } from '../../../platform/work-queue/work-queue.ts';
import type { AgentService } from '../../agents/index.ts';
import { type StepSettings, toStepSettings } from '../../budgets/index.ts';
import { inputsOfSteps } from '../graph/compiled-graph.ts';
import type { GraphInputs } from '../graph/graph-inputs.ts';
import type { StepRow } from '../store/rows.ts';
import { executions } from '../store/tables.ts';
import type { Claim, StepEnds, StepWork } from '../transitions/claim.ts';
import type { Snapshot, Transition } from '../transitions/transition.ts';
import type { TransitionFromSnapshot } from '../transitions/transitions.ts';
import { type AttemptStart, snapshotOf } from './begin-attempt.ts';
import { attemptGoesOn, attemptOver, type Following, type RunChanges, runningStep } from './run-changes.ts';
import type { StepRunner } from './step-runner.ts';

export type RunAttemptDeps = {
  transitionFromSnapshot: TransitionFromSnapshot;
  changes: RunChanges;
  runner: StepRunner;
  agents: Pick<AgentService, 'modelConfigFrom'>;
  db: Db;
  bus: Bus;
  /** A clock that never jumps (ms). */
  elapsed: () => number;
  log: { error: (about: object, line: string) => void };
};

/** Events of other processes after which steps may be able to start. */
const wakes = new Set<ExecutionEvent['type']>(['execution.resumed', 'question.answered', 'question.expired']);
/** The interval at which an attempt checks for answers without a message of the bus (ms). */
const answerPollMs = 5_000;

/**
 * One attempt at an execution: it carries out the steps that run, and stores their ends one after another. Which steps it carries out follows from the
 * stored steps alone, so a write whose reply was lost loses none of them.
 */
export class RunAttempt {
  readonly #deps: RunAttemptDeps;
  readonly #job: Job;
  readonly #leaseEpoch: number;
  readonly #cutOff: Set<string>;
  readonly #settings: Map<string, StepSettings>;
  readonly #ends: StepEnds;
  /** Aborts the work on each step that this attempt carries out. */
  readonly #steps = new Map<string, AbortController>();
  #known: Snapshot;
  #isOver: boolean;
  #isSettled: boolean;
  #chargedAt: number;
  #line: Promise<unknown> = Promise.resolve();
  /** Unfinished work: steps, waits and changes. */
  #tasks = 0;
  /** The first error of these. */
  #failure: unknown = null;
  readonly #idle = Promise.withResolvers<void>();
  /** Aborts all waits: the attempt is over, or no step may begin any more. */
  #wait: AbortController | null = null;
  readonly #stopWaits = () => this.#wait?.abort();
  #answerPoll: NodeJS.Timeout | null = null;

  constructor(deps: RunAttemptDeps, job: Job, { known, next, cutOff, settings }: AttemptStart) {
    this.#deps = deps;
    this.#job = job;
    this.#known = known;
    this.#leaseEpoch = known.row.leaseEpoch;
    this.#cutOff = new Set(cutOff);
    this.#settings = new Map(settings);
    this.#isOver = next.isOver;
    this.#isSettled = next.isSettled ?? false;
    this.#chargedAt = deps.elapsed();
    this.#ends = {
      completed: (claim, answer, about) =>
        this.#change((it) => deps.changes.storeAnswer(it, claim, answer, about, this.#takesNext()), claim.step.stepId),
      failed: (claim, failed) => this.#change((it) => deps.changes.storeFailure(it, claim, failed, this.#takesNext()), claim.step.stepId),
      suspended: (claim, work) => this.#suspended(claim, work),
      retrying: (claim, failure, waitMs) => this.#retrying(claim, failure, waitMs),
      progress: (claim, work) => this.#progress(claim, work),
    };
    job.report = () => ({ activeMs: this.#activeMs() });
    if (!this.#isOver) this.#goOn(next);
  }

  /** Resolves when the run has ended or pauses, waits for people only, or must return to the queue. */
  async carryOut(): Promise<JobOutcome> {
    if (this.#isOver) return this.#isSettled ? 'settled' : 'done';
    const { row } = this.#known;
    const { signal, stopping } = this.#job;
    const unsubscribe = this.#deps.bus.subscribe(row.userId, (message) => this.#hear(message));
    // A combined signal for each step and wait would stay with the job's signals until it is collected.
    const lose = () => this.#abortWork();
    signal.addEventListener('abort', lose);
    if (signal.aborted) lose();
    try {
      if (this.#tasks > 0) await this.#idle.promise;
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', lose);
      if (this.#wait) stopping.removeEventListener('abort', this.#stopWaits);
      if (this.#answerPoll) clearInterval(this.#answerPoll);
      this.#job.report = null;
    }
    if (this.#isSettled) return 'settled';
    if (signal.aborted || (!this.#isOver && stopping.aborted)) return 'released';
    // The attempt fails, so that it counts: as a job that is done the run would begin again without end.
    if (!this.#isOver) throw this.#failure ?? new Error('Nothing of a run is under way, and it has not ended.');
    return 'done';
  }

  #takesNext(): boolean {
    return !this.#job.stopping.aborted;
  }

  /** The active time of the run until now (ms). It is measured by a clock that never jumps, since steps run at the same time. */
  #activeMs(): number {
    return Math.round(this.#known.row.activeMs + this.#deps.elapsed() - this.#chargedAt);
  }

  /** Changes the run while this attempt owns it, one change at a time. `ending`: the step whose work ends with the change. */
  #change(work: (it: Transition) => Promise<Following>, ending?: string): Promise<void> {
    const next = this.#line.then(() => this.#changeNow(work, ending));
    this.#line = next.catch(() => {});
    return next;
  }

  async #changeNow(work: (it: Transition) => Promise<Following>, ending?: string): Promise<void> {
    if (this.#isOver) return;
    let after: Snapshot = this.#known;
    const now = this.#deps.elapsed();
    const activeMs = this.#activeMs();
    const changed = await retryOnOutage(
      () =>
        this.#deps.transitionFromSnapshot(this.#known, async (it) => {
          if (it.row.leaseEpoch !== this.#leaseEpoch || it.row.status !== 'running') return attemptOver;
          // A repeated change charges the interval once.
          it.set({ activeMs: Math.max(it.row.activeMs, activeMs) });
          const next = await work(it);
          after = await snapshotOf(it);
          return next;
        }),
      this.#job.signal,
    );
    if (!changed) return this.#end();
    const { value: next, row, found } = changed;
    this.#chargedAt = now;
    this.#known = { ...after, row };
    this.#isSettled = next.isSettled ?? false;
    // The run was cancelled while the change was under way.
    if (this.#isOver) return;
    if (ending !== undefined) this.#steps.delete(ending);
    if (next.readsOf !== undefined && found !== undefined) this.#settings.set(next.readsOf, toStepSettings(found, this.#deps.agents));
    if (next.isOver) return this.#end();
    this.#cutOffEnded();
    this.#goOn(next);
  }

  #end(): void {
    this.#isOver = true;
    this.#abortWork();
  }

  #abortWork(): void {
    this.#stopWaits();
    for (const controller of this.#steps.values()) controller.abort();
  }

  /** Carries out the running steps that it does not carry out yet, and continues after the wait. */
  #goOn({ waitMs }: Following): void {
    const { row, steps } = this.#known;
    const begun = steps.filter(({ status, stepId }) => status === 'running' && !this.#steps.has(stepId));
    const inputsOf = row.graph && begun.length > 0 ? inputsOfSteps(row.graph, row.initialTask, steps) : null;
    for (const step of begun) this.#carryOutStep(step, inputsOf?.(step));
    if (waitMs !== null) this.#continueAfter(waitMs);
    // Without the bus an answer is noticed by its change of the execution.
    if (row.openQuestions > 0)
      this.#answerPoll ??= setInterval(() => {
        if (!this.#isOver) this.#track(this.#continueIfChanged());
      }, answerPollMs);
  }

  #carryOutStep(step: StepRow, inputs: GraphInputs | undefined): void {
    const { stepId } = step;
    const settings = this.#settings.get(stepId);
    const isCutOff = this.#cutOff.delete(stepId);
    this.#settings.delete(stepId);
    const claim: Claim = {
      ...this.#known,
      step,
      ...(isCutOff && { isCutOff }),
      ...(settings && { settings }),
      ...(inputs && { inputs }),
    };
    const controller = new AbortController();
    this.#steps.set(stepId, controller);
    if (this.#job.signal.aborted) controller.abort();
    this.#track(
      this.#deps.runner.carryOut(claim, controller.signal, this.#ends).finally(() => {
        if (this.#steps.get(stepId) === controller) this.#steps.delete(stepId);
      }),
    );
  }

  #cutOffEnded(): void {
    if (this.#steps.size === 0) return;
    const running = new Set(this.#known.steps.flatMap(({ stepId, status }) => (status === 'running' ? [stepId] : [])));
    for (const [stepId, controller] of this.#steps) if (!running.has(stepId)) controller.abort();
  }

  async #retrying(claim: Claim, failure: Failure, waitMs: number): Promise<void> {
    await this.#change(async (it) => {
      const step = await runningStep(it, claim);
      // After a lost reply the retry is stored already.
      if (step && step.attempts === this.#attemptsOf(claim))
        it.record('step.retrying', {
          step: await it.setStep(step, { attempts: step.attempts + 1 }),
          error: failure,
          wait: { ms: Math.ceil(waitMs), reason: failure },
        });
      return attemptGoesOn;
    });
  }

  #suspended(claim: Claim, work: StepWork): Promise<void> {
    const { changes } = this.#deps;
    const suspend = (it: Transition) =>
      changes.suspend(it, claim, work, { takesNext: this.#takesNext(), attempts: this.#attemptsOf(claim) });
    return this.#change(suspend, claim.step.stepId);
  }

  /** The attempts at a step as last stored by this attempt. */
  #attemptsOf({ step: { stepId, attempts } }: Claim): number {
    return this.#known.steps.find((step) => step.stepId === stepId)?.attempts ?? attempts;
  }

  async #progress(claim: Claim, work: StepWork): Promise<Claim | null> {
    let after: StepRow | null = null;
    await this.#change(async (it) => {
      const step = await runningStep(it, claim);
      after = step && (await storeProgress(it, claim, step, work));
      return attemptGoesOn;
    });
    return after && !this.#isOver ? { ...claim, ...this.#known, step: after } : null;
  }

  #continueAfter(ms: number): void {
    const { signal, stopping } = this.#job;
    if (!this.#wait) {
      this.#wait = new AbortController();
      stopping.addEventListener('abort', this.#stopWaits);
    }
    if (signal.aborted || stopping.aborted) this.#stopWaits();
    this.#track(
      wait(ms, undefined, { signal: this.#wait.signal }).then(
        () => this.#continueRun(),
        () => {},
      ),
    );
  }

  #continueRun(): Promise<void> {
    return this.#change((it) => this.#deps.changes.follow(it, { takesNext: this.#takesNext(), afterEnd: false }));
  }

  /** Continues only when another process has changed the run, so that a poll writes nothing. */
  async #continueIfChanged(): Promise<void> {
    const { id, lastSeq } = this.#known.row;
    const read = async () => this.#deps.db.select({ lastSeq: executions.lastSeq }).from(executions).where(eq(executions.id, id));
    const [stored] = await retryOnOutage(read, this.#job.signal);
    if (stored && stored.lastSeq !== lastSeq) await this.#continueRun();
  }

  #hear(message: BusMessage): void {
    if (message.type !== 'pipeline_update' || message.executionId !== this.#known.row.id) return;
    if (message.status === 'cancelled') this.#end();
    else if (wakes.has(message.event.type)) this.#track(this.#continueRun());
  }

  #track(work: Promise<unknown>): void {
    this.#tasks += 1;
    void work
      .catch((error) => {
        const { id: executionId } = this.#known.row;
        this.#failure ??= error;
        if (!this.#job.signal.aborted) this.#deps.log.error({ err: error, executionId }, 'A change of a run failed.');
      })
      .then(() => {
        this.#tasks -= 1;
        if (this.#tasks === 0) this.#idle.resolve();
      });
  }
}

/** Does the work of a step's progress, unless it was stored before. Returns the step after it. */
async function storeProgress(change: Transition, claim: Claim, step: StepRow, work: StepWork): Promise<StepRow> {
  if (step.toolSeq !== claim.step.toolSeq) return step;
  await work(change, await change.setStep(step, { toolSeq: step.toolSeq + 1 }));
  return (await change.steps()).find(({ stepId }) => stepId === step.stepId) ?? step;
}
