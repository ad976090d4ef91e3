import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { ExecutionEvent } from '../../../../contract/executions/execution.ts';
import type { CompiledGraph } from '../../../../rules/run-graph/run-graph.ts';
import { RunState } from '../../../../rules/run-graph/run-state.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Db } from '../../../platform/database/database.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Job, JobOutcome } from '../../../platform/work-queue/work-queue.ts';
import { type FilesInAnswer, storingFiles } from '../../files/index.ts';
import type { Recorder } from '../../results/index.ts';
import { askChoice, askHandOff, heldLinks } from '../questions/ask-person.ts';
import { finalAnswer, type StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import { executions } from '../store/tables.ts';
import { storingTestLog } from '../test-runs/test-run-rows.ts';
import { failureFor } from './failure-texts.ts';
import { type BegunStep, beginStep, choiceOf, compiledOf, failureEndsRun, followLinks, inputsOfStep } from './graph-outcomes.ts';
import { pathsInRun } from './paths-in-run.ts';
import { closeCalls, completeRun, endLimited, failRun, type StepFailure, storeSpend } from './end-run.ts';
import type { AboutAnswer, Claim, StepEnds } from './step-ends.ts';
import { pauseRun, recordThinking, storeProgress } from './step-outcomes.ts';
import type { StepRunner } from './step-runner.ts';
import { originOf, toStepState } from './step-states.ts';
import type { Snapshot, Transition, TransitionFromSnapshot } from './transition.ts';

export type GraphRunsDeps = {
  transitionFromSnapshot: TransitionFromSnapshot;
  recorder: Recorder;
  filesInAnswer: FilesInAnswer;
  /** Reads the paths of files for tests of data. */
  db: Db;
  bus: Bus;
  newId: () => string;
  log: { error: (about: object, line: string) => void };
};

/** The steps that an attempt starts with, the wait before the next ones if any (ms), and the execution after their start. */
export type GraphStart = { known: Snapshot; begun: BegunStep[]; waitMs: number | null; isOver: boolean };

/** The next action of a graph: steps to start, a wait before the next start, or the end of the attempt. */
type Next = { begun: BegunStep[]; waitMs: number | null; isOver: boolean };

/** Events of other processes after which steps may be able to start. */
const wakes = new Set<ExecutionEvent['type']>(['execution.resumed', 'question.answered', 'question.expired']);
/** The interval at which an attempt checks for answers without a message of the bus (ms). */
const answerPollMs = 5_000;

const runEnded: Next = { begun: [], waitMs: null, isOver: true };

/** Runs executions whose steps follow links: several steps at the same time, whose ends are stored one after another. */
export function createGraphRuns(deps: GraphRunsDeps) {
  const { transitionFromSnapshot, recorder, filesInAnswer, db, bus, newId, log } = deps;

  /** Begins an attempt: restarts steps that were cut off, and starts others up to the maximum. */
  async function begin(change: Transition): Promise<GraphStart> {
    const { row, now } = change;
    if (row.status === 'pending') {
      change.set({ status: 'running', startedAt: now });
      change.record('execution.started');
    }
    const cutOff = (await change.steps()).filter(({ status }) => status === 'running');
    const again: BegunStep[] = [];
    // A run that ends at its budget begins no step again.
    if (row.limited)
      await change.setSteps(
        cutOff.map(({ stepId }) => stepId),
        { status: 'pending' },
      );
    if (row.graph && !row.limited && !isOutOfTime(change)) {
      for (const step of cutOff) {
        const inputs = inputsOfStep(row.graph, step, await change.steps());
        again.push({ step: await beginStep(change, step), inputs, isCutOff: true });
      }
    }
    const next = await follow(change, { takesNext: true, afterEnd: false });
    return { known: await snapshotOf(change), ...next, begun: next.isOver ? [] : [...again, ...next.begun] };
  }

  /** Writes what follows from the current steps, and starts as many as possible. */
  async function follow(change: Transition, { takesNext, afterEnd }: { takesNext: boolean; afterEnd: boolean }): Promise<Next> {
    const { row } = change;
    if (!row.graph) throw new Error('The execution has no graph.');
    if (isOutOfTime(change)) {
      const failure = failureFor({ code: 'execution_timeout' }, row.language, { agent: '', seconds: row.timeoutSeconds });
      await failRun(change, null, { failure, durationMs: 0 }, recorder);
      return runEnded;
    }
    const running = (await change.steps()).filter(({ status }) => status === 'running').length;
    if (row.limited) {
      if (running > 0) return { begun: [], waitMs: null, isOver: false };
      await endLimited(change, recorder);
      return runEnded;
    }
    const pauses = row.pauseRequested || (row.singleStep && afterEnd);
    const waits = takesNext && !pauses && afterEnd && row.pauseBetweenStepsMs > 0;
    const mayStart = takesNext && !pauses && !waits && row.budgetHold === null;
    const agents = mayStart ? (row.singleStep ? 1 : row.graph.maxParallel) - running : 0;
    const followed = await followLinks(change, row.graph, { agents, persons: mayStart, isSingle: row.singleStep });
    if (followed.failed) {
      await failRun(change, null, { failure: followed.failed.failure, durationMs: 0 }, recorder);
      return runEnded;
    }
    if (followed.isDone) {
      await completeRun(change, finalAnswer({ status: 'completed' }, await change.steps()) ?? '', recorder);
      return runEnded;
    }
    const { begun } = followed;
    if (waits) return { begun, waitMs: row.pauseBetweenStepsMs, isOver: false };
    const left = (await change.steps()).some(({ status }) => status === 'running');
    if (left || !takesNext) return { begun, waitMs: null, isOver: false };
    if (pauses) pauseRun(change);
    else if (change.row.openQuestions === 0) throw new Error('No step of the run can begin, and none has to be waited for.');
    // Only people are waited for: the run has no job until one of them answers.
    else change.set({ jobId: null });
    return runEnded;
  }

  /** Runs the execution of one job until it ends, pauses, or must return to the queue. */
  async function carryOut(job: Job, start: GraphStart, runner: StepRunner): Promise<JobOutcome> {
    let { known, isOver } = start;
    const { id: executionId, userId, leaseEpoch } = known.row;
    /** Active time is measured by the clock, since steps run at the same time. */
    let chargedAt = Date.now();
    let line: Promise<unknown> = Promise.resolve();
    const runningSteps = new Map<string, { done: Promise<void>; controller: AbortController }>();

    const inLine = <T>(work: () => Promise<T>): Promise<T> => {
      const next = line.then(work, work);
      line = next.catch(() => {});
      return next;
    };

    /** Changes the run while this attempt owns it, one change at a time. Aborts the steps that the change has ended. */
    const change = (work: (it: Transition) => Promise<Next>): Promise<void> =>
      inLine(async () => {
        if (isOver) return;
        let after: Snapshot = known;
        const now = Date.now();
        const changed = await retryOnOutage(
          () =>
            transitionFromSnapshot(known, async (it) => {
              if (it.row.leaseEpoch !== leaseEpoch || it.row.status !== 'running') return runEnded;
              it.set({ activeMs: it.row.activeMs + Math.max(0, now - chargedAt) });
              const next = await work(it);
              after = await snapshotOf(it);
              return next;
            }),
          job.signal,
        );
        if (!changed) {
          isOver = true;
          return;
        }
        chargedAt = now;
        known = { ...after, row: changed.row };
        isOver = changed.value.isOver;
        cutOffEnded();
        carryOutSteps(changed.value.begun);
        if (changed.value.waitMs !== null) continueAfter(changed.value.waitMs);
      });

    const takesNext = () => !job.stopping.aborted;
    /** Continues only when another process has changed the run, so that a poll writes nothing. */
    const continueIfChanged = async (): Promise<void> => {
      const [stored] = await db.select({ lastSeq: executions.lastSeq }).from(executions).where(eq(executions.id, executionId));
      if (stored && stored.lastSeq !== known.row.lastSeq) await continueRun();
    };
    const continueRun = () => change((it) => follow(it, { takesNext: takesNext(), afterEnd: false }));

    const ends: StepEnds = {
      async completed(claim, answer, about) {
        await change((it) => storeAnswer(it, claim, answer, { ...about, takesNext: takesNext() }));
        return { kind: 'end' };
      },
      async failed(claim, failed) {
        await change((it) => storeFailure(it, claim, failed, takesNext()));
        return { kind: 'end' };
      },
      async retrying(claim, failure) {
        await change(async (it) => {
          const step = await runningStep(it, claim);
          if (step) it.record('step.retrying', { step: await it.setStep(step, { attempts: step.attempts + 1 }), error: failure });
          return { begun: [], waitMs: null, isOver: false };
        });
      },
      async progress(claim, work) {
        let after: StepRow | null = null;
        await change(async (it) => {
          const step = await runningStep(it, claim);
          after = step && (await storeProgress(it, claim, step, work));
          return { begun: [], waitMs: null, isOver: false };
        });
        return after && !isOver ? { ...claim, ...known, step: after } : null;
      },
      async suspended(claim, work) {
        await change(async (it) => {
          const step = await runningStep(it, claim);
          if (step) await work(it, step);
          return follow(it, { takesNext: takesNext(), afterEnd: true });
        });
        return { kind: 'end' };
      },
    };

    const track = (id: string, controller: AbortController, work: Promise<unknown>) => {
      const done = work
        .catch((error) => {
          if (!job.signal.aborted) log.error({ err: error, executionId }, 'A change of a run failed.');
        })
        .then(() => {
          runningSteps.delete(id);
        });
      runningSteps.set(id, { done, controller });
    };

    const carryOutSteps = (begun: readonly BegunStep[]) => {
      for (const { step, inputs, isCutOff } of begun) {
        const controller = new AbortController();
        const signal = AbortSignal.any([job.signal, controller.signal]);
        const claim: Claim = { ...known, step, inputs, ...(isCutOff && { isCutOff }) };
        track(step.stepId, controller, runner.carryOut(claim, { signal, stopping: job.stopping }, ends));
      }
    };

    const cutOffEnded = () => {
      const running = new Set(known.steps.flatMap(({ stepId, status }) => (status === 'running' ? [stepId] : [])));
      for (const [stepId, { controller }] of runningSteps) if (isOver || !running.has(stepId)) controller.abort();
    };

    let waits = 0;
    const continueAfter = (ms: number) => {
      waits += 1;
      const controller = new AbortController();
      const signal = AbortSignal.any([job.signal, job.stopping, controller.signal]);
      track(
        `wait ${waits}`,
        controller,
        wait(ms, undefined, { signal }).then(continueRun, () => {}),
      );
    };

    const unsubscribe = bus.subscribe(userId, (message) => {
      if (message.type !== 'pipeline_update' || message.executionId !== executionId || !wakes.has(message.event.type)) return;
      track(`event ${message.event.seq}`, new AbortController(), continueRun());
    });
    // Without the bus an answer is noticed by its change of the execution.
    const answerPoll = setInterval(() => {
      if (known.row.openQuestions > 0 && !isOver) track('answers', new AbortController(), continueIfChanged());
    }, answerPollMs);
    try {
      if (isOver) return 'done';
      carryOutSteps(start.begun);
      if (start.waitMs !== null) continueAfter(start.waitMs);
      while (runningSteps.size > 0) await Promise.race([...runningSteps.values()].map(({ done }) => done));
    } finally {
      unsubscribe();
      clearInterval(answerPoll);
    }
    return job.signal.aborted || (!isOver && job.stopping.aborted) ? 'released' : 'done';
  }

  async function storeAnswer(it: Transition, claim: Claim, answer: StepAnswer, about: AboutAnswer): Promise<Next> {
    const { thoughts, testLog, takesNext } = about;
    const step = await runningStep(it, claim);
    if (!step || !it.row.graph) return follow(it, { takesNext, afterEnd: false });
    const { files, refused } = await filesInAnswer(it.row.id, answer.result);
    const { label, isUndecided, spend, ...stored } = answer;
    storeSpend(it, spend);
    const held = () => pathsInRun(db, it.row);
    const choice = await choiceOf(it.row.graph, step, { result: answer.result, label: label ?? null, files, held });
    const done = await it.setStep(step, {
      ...{ ...stored, choice, refusedFiles: refused.length === 0 ? null : refused, revision: null },
      ...{ status: isUndecided ? 'waiting' : 'completed', completedAt: isUndecided ? null : it.now, error: null },
    });
    // The newest version of a file is that of the step that ended last.
    if (files.length > 0) {
      it.addWrite(storingFiles({ stepId: step.stepId, orderIndex: it.row.lastSeq }, files));
      it.set({ hasFiles: true });
    }
    if (thoughts !== null) recordThinking(it, step, thoughts, newId());
    if (testLog !== undefined) it.addWrite(storingTestLog(step, testLog));
    const compiled = compiledOf(it.row.graph);
    if (isUndecided) await askChoice(it, compiled, done);
    else await recordAnswer(it, compiled, done);
    return follow(it, { takesNext, afterEnd: true });
  }

  async function storeFailure(it: Transition, claim: Claim, failed: StepFailure, takesNext: boolean): Promise<Next> {
    const step = await runningStep(it, claim);
    if (!step || !it.row.graph) return follow(it, { takesNext, afterEnd: false });
    if (failed.failure.code === 'execution_timeout' || failureEndsRun(it.row.graph, step)) {
      await failRun(it, step, failed, recorder);
      return runEnded;
    }
    const { failure, spend, ...facts } = failed;
    storeSpend(it, spend);
    closeCalls(it, step);
    const ended = await it.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: it.now });
    it.record('step.failed', { step: ended, error: failure });
    // Only the step has failed; the run continues.
    return follow(it, { takesNext, afterEnd: true });
  }

  /** Stores the answer of a step of a run that has got a graph meanwhile, and continues along the links. */
  async function continueChain(change: Transition, claim: Claim, answer: StepAnswer, about: AboutAnswer): Promise<GraphStart> {
    const next = await storeAnswer(change, claim, answer, about);
    return { known: await snapshotOf(change), ...next };
  }

  /** Continues a run with a step that waits for a person. */
  async function continueSuspended(change: Transition): Promise<GraphStart> {
    const next = await follow(change, { takesNext: true, afterEnd: true });
    return { known: await snapshotOf(change), ...next };
  }

  return { begin, carryOut, continueChain, continueSuspended };
}

/** Records the end of a step with an answer, and asks a person if a link holds it. */
async function recordAnswer(it: Transition, compiled: CompiledGraph, step: StepRow): Promise<void> {
  const steps = await it.steps();
  const ofStep = steps.filter((row) => originOf(row) === originOf(step) && row.stepId !== step.stepId);
  const held = heldLinks(it, new RunState(compiled, steps.map(toStepState)), step, ofStep);
  if (!held) {
    it.record('step.completed', { step });
    return;
  }
  const waiting = await it.setStep(step, { handOff: { state: 'open', linkIds: held.links.map(({ id }) => id) } });
  it.record('step.completed', { step: waiting });
  await askHandOff(it, waiting, held);
}

export type GraphRuns = ReturnType<typeof createGraphRuns>;

async function runningStep(it: Transition, claim: Claim): Promise<StepRow | null> {
  const step = (await it.steps()).find(({ stepId }) => stepId === claim.step.stepId);
  return step?.status === 'running' ? step : null;
}

function isOutOfTime({ row }: Transition): boolean {
  return row.activeMs >= row.timeoutSeconds * 1_000;
}

async function snapshotOf(it: Transition): Promise<Snapshot> {
  return { row: it.row, steps: await it.steps(), contexts: await it.contexts() };
}
