import type pg from 'pg';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';

/** Executions that get a job in one transaction. */
const batch = 500;

/**
 * Sends jobs for active executions that have none, for example after a restore or an upgrade. So an active run continues, also without its
 * job in the queue. An execution whose attempts are used up gets none.
 */
export function createSendMissingJobs({ pool, queue, newId }: { pool: pg.Pool; queue: WorkQueue; newId: () => string }) {
  const sendSome = (): Promise<number> =>
    transact(pool, async (run) => {
      // NULL is not in an empty set either: a run that waits for people is named apart.
      const rows = await run({
        text: `SELECT id, user_id FROM executions WHERE status IN ('pending', 'running') AND NOT not_started
          AND CASE WHEN job_id IS NULL THEN open_questions = 0
            ELSE job_id NOT IN (${queue.unfinishedJobs('execution')}) AND job_id NOT IN (${queue.exhaustedJobs()}) END
          ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
        values: [],
      });
      if (rows.length === 0) return 0;
      const jobs = rows.map(({ id, user_id: group }) => ({ executionId: String(id), id: newId(), group: String(group) }));
      await run({
        text: 'UPDATE executions SET job_id = one.job FROM unnest($1::uuid[], $2::uuid[]) AS one (execution, job) WHERE id = one.execution',
        values: [jobs.map(({ executionId }) => executionId), jobs.map(({ id }) => id)],
      });
      await queue.send(
        run,
        'execution',
        jobs.map(({ id, group }) => ({ id, group })),
      );
      return rows.length;
    });

  return async (): Promise<void> => {
    while ((await sendSome()) === batch);
  };
}
