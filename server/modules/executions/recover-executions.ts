import type pg from 'pg';
import { recoverWork } from '../../platform/work-queue/recover-work.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { RunEnds } from './transitions/end-run.ts';
import type { RunTransition } from './transitions/transitions.ts';

type RecoveryDeps = {
  pool: pg.Pool;
  queue: Pick<WorkQueue, 'send' | 'unfinishedJobs' | 'exhaustedJobs'>;
  transition: RunTransition;
  runEnds: Pick<RunEnds, 'failExhausted'>;
  newId: () => string;
};

/** Active executions. One that waits for people only has no job. */
const active = `executions WHERE status IN ('pending', 'running') AND NOT not_started AND (job_id IS NOT NULL OR open_questions = 0)`;

/** Recovers executions: see `recoverWork`. A new job has a new id. */
export function createRecoverExecutions({ pool, queue, transition, runEnds, newId }: RecoveryDeps) {
  return (): Promise<void> =>
    recoverWork(
      { pool, queue },
      {
        queue: 'execution',
        table: active,
        job: 'job_id',
        group: 'user_id',
        bury: (jobId) => transition({ jobId }, (change) => runEnds.failExhausted(change)),
        assignJobs: async (run, ids) => {
          const jobIds = ids.map(() => newId());
          await run({
            text: 'UPDATE executions SET job_id = one.job FROM unnest($1::uuid[], $2::uuid[]) AS one (execution, job) WHERE id = one.execution',
            values: [ids, jobIds],
          });
          return jobIds;
        },
      },
    );
}
