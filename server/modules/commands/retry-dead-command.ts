import type pg from 'pg';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';

type RetryDeps = { pool: pg.Pool; queue: Pick<WorkQueue, 'send' | 'wake'> };

/** Continues a command whose attempts are used up. See `createRetryDeadExecution`. */
export function createRetryDeadCommand({ pool, queue }: RetryDeps) {
  return async (id: string, take: (run: RunStatement) => Promise<boolean>): Promise<string | null> => {
    const isSent = await transact(pool, async (run) => {
      const [row] = await run({
        text: `SELECT agent_id FROM agent_commands WHERE id = $1 AND execution_id IS NULL
          AND status = 'failed' AND error->>'code' = 'attempts_exhausted' FOR UPDATE`,
        values: [id],
      });
      if (!row || !(await take(run))) return false;
      await run({
        text: `UPDATE agent_commands SET status = 'pending', error = NULL, completed_at = NULL, execution_time_ms = NULL,
          lease_epoch = lease_epoch + 1, updated_at = now() WHERE id = $1`,
        values: [id],
      });
      await queue.send(run, 'command', [{ id, group: String(row.agent_id) }]);
      return true;
    });
    if (!isSent) return null;
    queue.wake('command');
    return id;
  };
}

export type RetryDeadCommand = ReturnType<typeof createRetryDeadCommand>;
