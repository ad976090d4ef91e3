import { runIn } from '../../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Job, JobOutcome, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { RecentRows } from '../store/recent-rows.ts';
import type { RunEnds } from '../transitions/end-run.ts';
import type { RunTransition } from '../transitions/transitions.ts';
import { type AttemptStart, type BeginAttempt, countAttempt, type RememberedRun } from './begin-attempt.ts';
import { RunAttempt, type RunAttemptDeps } from './run-attempt.ts';
import type { RunWeights } from './run-weights.ts';

type ExecutionWorkerDeps = RunAttemptDeps & {
  queue: WorkQueue;
  attempts: BeginAttempt;
  runEnds: RunEnds;
  transition: RunTransition;
  /** Executions that this process has stored, by their jobs. */
  recent: RecentRows<RememberedRun>;
  weights: RunWeights;
  /** Returns the number of steps of a job's execution; 0 for an unknown one. */
  stepsOf: (jobId: string) => Promise<number>;
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
  const { queue, attempts, runEnds, transition, recent, weights, stepsOf, recover, maxPerAccount } = deps;

  const carryOut = async (job: Job): Promise<JobOutcome> => {
    if (job.isExhausted && (await bury(job))) return 'buried';
    // A job that this process has taken comes with the begin of its attempt.
    const begun = job.known as AttemptStart | undefined;
    if (!begun && job.stopping.aborted) return 'released';
    const remembered = begun ? null : recent.take(job.id);
    const steps = (begun?.known ?? remembered?.known)?.steps.length ?? (await retryOnOutage(() => stepsOf(job.id), job.signal));
    const begin = attempts.begin(job, remembered);
    const ended = await weights.carryOut(
      { steps, signals: [job.signal, job.stopping] },
      async () => begun ?? retryOnOutage(begin, job.signal),
      async (start) => start && new RunAttempt(deps, job, start).carryOut(),
    );
    return ended ?? (job.signal.aborted || job.stopping.aborted ? 'released' : 'done');
  };

  /** Ends a run whose attempts are used up. Returns false when it has ended already, or has come further since the last attempt began. */
  const bury = async (job: Job): Promise<boolean> => {
    const buried = await retryOnOutage(
      () =>
        transition({ jobId: job.id }, async (change) => {
          if (countAttempt(queue, change, job, await change.steps()) || !(await runEnds.failExhausted(change))) return false;
          await queue.bury(runIn(change.tx()), 'execution', job, 'Every attempt was cut off or failed.');
          return true;
        }),
      job.signal,
    );
    return buried?.value ?? false;
  };

  queue.work('execution', { maxAtOnce, maxPerGroup: maxPerAccount, heartbeatMs, recover }, carryOut);
}
