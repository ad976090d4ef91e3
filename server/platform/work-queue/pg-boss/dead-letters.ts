import type { RunStatement } from '../../database/prepared-statements.ts';
import type { DeadJob, QueueName } from '../work-queue.ts';

/** pg-boss's queue of jobs whose attempts are used up. */
export const deadQueue = 'dead-letter';

/**
 * The list of dead letters. It is the server's own table (`dead_letters`), so backups include it. `collect` moves the jobs of
 * pg-boss's dead-letter queue into it, also for nodes of an earlier version.
 */
export function deadLetters(schema: string, run: RunStatement) {
  const collecting = `WITH dead AS (DELETE FROM ${schema}.job WHERE name = '${deadQueue}'
      RETURNING id, source_name, source_id, group_id, source_output, created_on)
    INSERT INTO dead_letters (id, queue, job_id, group_id, reason, died_at)
    SELECT id, source_name, source_id, coalesce(group_id, ''),
      coalesce(source_output->>'message', source_output->'value'->>'message', ''), created_on FROM dead
    ON CONFLICT (job_id) DO NOTHING`;

  return {
    async collect(within: RunStatement = run): Promise<void> {
      await within({ text: collecting, values: [] });
    },

    async find(id: string): Promise<DeadJob | null> {
      const [row] = await run({ text: 'SELECT * FROM dead_letters WHERE id = $1::uuid', values: [id] });
      return row ? toDeadJob(row) : null;
    },

    /** Returns dead letters, newest first. */
    async list({ limit, offset }: { limit: number; offset: number }): Promise<{ items: DeadJob[]; total: number }> {
      const rows = await run({
        text: 'SELECT * FROM dead_letters ORDER BY died_at DESC, id LIMIT $1 OFFSET $2',
        values: [limit, offset],
      });
      const total = await run({ text: 'SELECT count(*)::integer AS total FROM dead_letters', values: [] });
      return { items: rows.map(toDeadJob), total: Number(total[0]?.total ?? 0) };
    },

    /** Returns false when another caller was first. */
    async take(within: RunStatement, id: string): Promise<boolean> {
      return (await within({ text: 'DELETE FROM dead_letters WHERE id = $1::uuid RETURNING id', values: [id] })).length > 0;
    },

    async forget(within: RunStatement, jobIds: readonly string[]): Promise<void> {
      if (jobIds.length > 0) await within({ text: 'DELETE FROM dead_letters WHERE job_id = ANY ($1::uuid[])', values: [jobIds] });
    },
  };
}

function toDeadJob(row: Record<string, unknown>): DeadJob {
  return {
    id: String(row.id),
    queue: row.queue as QueueName,
    jobId: String(row.job_id),
    group: String(row.group_id),
    reason: String(row.reason),
    diedAt: row.died_at as Date,
  };
}
