import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Job, JobOutcome } from '../../../platform/work-queue/work-queue.ts';
import type { StepRow } from '../store/rows.ts';
import { executions } from '../store/tables.ts';
import {
  createGraphChanges,
  type GraphChangesDeps,
  type GraphNext,
  type GraphStart,
  runEnded,
  runningStep,
  snapshotOf,
} from './graph-changes.ts';
import type { BegunStep } from './graph-outcomes.ts';
import type { Claim, StepEnds } from './step-ends.ts';
import { storeProgress } from './step-outcomes.ts';
import type { StepRunner } from './step-runner.ts';
import type { Snapshot, Transition } from './transition.ts';
import type { TransitionFromSnapshot } from './transitions.ts';

export type GraphRunsDeps = GraphChangesDeps & {
  transitionFromSnapshot: TransitionFromSnapshot;
  bus: Bus;
  log: { error: (about: object, line: string) => void };
};

/** Events of other processes after which steps may be able to start. */
const wakes = new Set<ExecutionEvent['type']>(['execution.resumed', 'question.answered', 'question.expired']);
/** The interval at which an attempt checks for answers without a message of the bus (ms). */
const answerPollMs = 5_000;

/** Runs executions whose steps follow links: several steps at the same time, whose ends are stored one after another. */
export function createGraphRuns(deps: GraphRunsDeps) {
  const { transitionFromSnapshot, db, bus, log } = deps;
  const { begin, follow, followSuspended, storeAnswer, storeFailure, continueChain, continueSuspended } = createGraphChanges(deps);

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
    const change = (work: (it: Transition) => Promise<GraphNext>): Promise<void> =>
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
          return followSuspended(it, claim, takesNext());
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

  return { begin, carryOut, continueChain, continueSuspended };
}

export type GraphRuns = ReturnType<typeof createGraphRuns>;
