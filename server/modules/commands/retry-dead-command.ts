import type pg from 'pg';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { queueOf } from './accept-command.ts';

type RetryDeps = { pool: pg.Pool; queue: Pick<WorkQueue, 'send' | 'wake'> };

/** Continues a command whose attempts are used up. See `createRetryDeadExecution`. */
export function createRetryDeadCommand({ pool, queue }: RetryDeps) {
  return async (id: string, take: (run: RunStatement) => Promise<boolean>): Promise<string | null> => {
    const name = await transact(pool, async (run) => {
      const [row] = await run({
        text: `SELECT agent_id, execution_id FROM agent_commands
          WHERE id = $1 AND status = 'failed' AND error->>'code' = 'attempts_exhausted' FOR UPDATE`,
        values: [id],
      });
      if (!row || !(await take(run))) return null;
      await run({
        text: `UPDATE agent_commands SET status = 'pending', error = NULL, completed_at = NULL, execution_time_ms = NULL,
          lease_epoch = lease_epoch + 1, updated_at = now() WHERE id = $1`,
        values: [id],
      });
      const sentTo = queueOf({ executionId: row.execution_id as string | null });
      await queue.send(run, sentTo, [{ id, group: String(row.agent_id) }]);
      return sentTo;
    });
    if (name) queue.wake(name);
    return name ? id : null;
  };
}

export type RetryDeadCommand = ReturnType<typeof createRetryDeadCommand>;
