import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

/** A removed execution, with the id of its last job. */
type RemovedExecution = { id: string; jobId: string | null };

/**
 * Removes at most `limit` executions that ended before `before`, the oldest first, with their steps, events, texts, files,
 * thoughts and history items: those of one account, or of all. A locked execution is removed by a later call.
 */
export async function removeEndedExecutions(
  run: RunStatement,
  { before, limit, userId = null }: { before: Date; limit: number; userId?: OwnerId | null },
): Promise<RemovedExecution[]> {
  const rows = await run({
    text: `WITH old AS (SELECT id FROM executions
        WHERE status IN ('completed', 'failed', 'cancelled') AND coalesce(completed_at, failed_at) < $1${userId === null ? '' : ' AND user_id = $3'}
        ORDER BY coalesce(completed_at, failed_at) LIMIT $2 FOR UPDATE SKIP LOCKED)
      DELETE FROM executions USING old WHERE executions.id = old.id RETURNING executions.id, executions.job_id`,
    values: userId === null ? [before, limit] : [before, limit, userId],
  });
  return rows.map((row) => ({ id: String(row.id), jobId: row.job_id === null ? null : String(row.job_id) }));
}
