import type { RunStatement } from '../../platform/database/prepared-statements.ts';

/** Events that one batch removes. The events of one execution are removed together, so that it is thinned or whole. */
const maxEvents = 10_000;

/**
 * Removes the events and turns of at most `limit` executions that ended before `before`, the oldest first: what their models and tools have said turn
 * by turn. All else of them stays. A locked execution is thinned by a later call. Returns their last jobs, and whether there may be more.
 */
export async function thinEndedExecutions(
  run: RunStatement,
  { before, limit, now }: { before: Date; limit: number; now: Date },
): Promise<{ jobIds: string[]; isLast: boolean }> {
  const rows = await run({
    text: `WITH locked AS (SELECT id, last_seq, coalesce(completed_at, failed_at) AS ended_at FROM executions
        WHERE status IN ('completed', 'failed', 'cancelled') AND coalesce(completed_at, failed_at) < $1 AND thinned_at IS NULL
        ORDER BY coalesce(completed_at, failed_at) LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED),
      old AS (SELECT id FROM (SELECT id, sum(last_seq) OVER (ORDER BY ended_at, id) - last_seq AS sooner FROM locked) AS summed WHERE sooner < $4),
      events AS (DELETE FROM execution_events USING old WHERE execution_id = old.id),
      turns AS (DELETE FROM model_turns USING old WHERE execution_id = old.id),
      calls AS (DELETE FROM tool_calls USING old WHERE execution_id = old.id)
      UPDATE executions SET thinned_at = $3 FROM old WHERE executions.id = old.id RETURNING executions.job_id`,
    values: [before, limit, now, maxEvents],
  });
  return { jobIds: rows.flatMap(({ job_id: jobId }) => (jobId === null ? [] : [String(jobId)])), isLast: rows.length === 0 };
}
