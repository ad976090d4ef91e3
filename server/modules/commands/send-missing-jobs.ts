import type pg from 'pg';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { NewJob, WorkQueue } from '../../platform/work-queue/work-queue.ts';

/** Commands that get a job in one transaction. */
const batch = 500;

/** Sends jobs for unfinished commands that have none, for example after a restore or an upgrade. One whose attempts are used up gets none. */
export function createSendMissingJobs({ pool, queue }: { pool: pg.Pool; queue: WorkQueue }) {
  const sendSome = (): Promise<number> =>
    transact(pool, async (run) => {
      const rows = await run({
        text: `SELECT id, agent_id, execution_id FROM agent_commands WHERE status IN ('pending', 'running')
          AND id NOT IN (${queue.unfinishedJobs('command')}) AND id NOT IN (${queue.unfinishedJobs('joined-command')})
          AND id NOT IN (${queue.exhaustedJobs()}) ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
        values: [],
      });
      const jobOf = (row: Record<string, unknown>): NewJob => ({ id: String(row.id), group: String(row.agent_id) });
      const own = rows.filter((row) => row.execution_id === null).map(jobOf);
      const joined = rows.filter((row) => row.execution_id !== null).map(jobOf);
      if (own.length > 0) await queue.send(run, 'command', own);
      if (joined.length > 0) await queue.send(run, 'joined-command', joined);
      return rows.length;
    });

  return async (): Promise<void> => {
    while ((await sendSome()) === batch);
  };
}
