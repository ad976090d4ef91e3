import { setTimeout as wait } from 'node:timers/promises';
import { runIn } from '../../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Job, JobOutcome, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { RecentRows } from '../store/recent-rows.ts';
import type { GraphRuns } from './graph-runs.ts';
import type { NextAction } from './step-ends.ts';
import type { StepOutcomes } from './step-outcomes.ts';
import type { StepRunner } from './step-runner.ts';
import type { Snapshot } from './transition.ts';
import type { RunTransition } from './transitions.ts';

export type ExecutionWorkerDeps = {
  queue: WorkQueue;
  runner: StepRunner;
  graphs: GraphRuns;
  outcomes: StepOutcomes;
  transition: RunTransition;
  /** Executions that this process has stored, by their jobs. */
  recent: RecentRows<Snapshot>;
  /** Sends jobs for executions that have none, and fails those whose attempts are used up. */
  recover: () => Promise<void>;
  /** The maximum of running executions of one account on all nodes together. */
  maxPerAccount: number;
};

/** The maximum of executions that one process runs at the same time. */
const maxAtOnce = 5_000;
/** The interval at which an execution that was stopped on another node is noticed without the bus (ms). */
const heartbeatMs = 1_000;

/**
 * Runs executions. Each job covers the time from a start or a resume to the next pause or end. A paused execution has
 * no job.
 */
export function createExecutionWorker(deps: ExecutionWorkerDeps): void {
  const { queue, runner, graphs, outcomes, transition, recent, recover, maxPerAccount } = deps;

  const carryOut = async (job: Job): Promise<JobOutcome> => {
    if (job.isExhausted) return buryExecution(job);
    const lasting = (work: () => Promise<NextAction>) => retryOnOutage(work, job.signal);
    // A job that this process has taken comes with its first step.
    let after = (job.known as NextAction | undefined) ?? (await beginAttempt(job));
    while (after.kind !== 'end') {
      if (job.signal.aborted || job.stopping.aborted) return 'released';
      if (after.kind === 'graph') return graphs.carryOut(job, after.start, runner);
      if (after.kind === 'next') after = await runner.carryOut(after.claim, job);
      else {
        const { pauseMs, known: paused } = after;
        await wait(pauseMs, undefined, { signal: AbortSignal.any([job.signal, job.stopping]) }).catch(() => {});
        if (job.signal.aborted || job.stopping.aborted) return 'released';
        after = await lasting(() => outcomes.take(paused));
      }
    }
    if (after.isSettled) return 'settled';
    return job.signal.aborted ? 'released' : 'done';
  };

  const beginAttempt = (job: Job): Promise<NextAction> => {
    const known = recent.take(job.id);
    return retryOnOutage(() => outcomes.begin(job, known), job.signal);
  };

  const buryExecution = async (job: Job): Promise<JobOutcome> => {
    const buried = await retryOnOutage(
      () =>
        transition({ jobId: job.id }, async (change) => {
          if (!(await outcomes.failExhausted(change))) return false;
          await queue.bury(runIn(change.tx()), 'execution', job, 'Every attempt was cut off or failed.');
          return true;
        }),
      job.signal,
    );
    return buried?.value ? 'buried' : 'done';
  };

  queue.work('execution', { maxAtOnce, maxPerGroup: maxPerAccount, heartbeatMs, recover }, carryOut);
}
