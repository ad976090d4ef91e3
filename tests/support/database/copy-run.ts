import type pg from 'pg';

/**
 * Stores copies of a run and its steps, as if each had been started and none had begun; `more` and `moreOfSteps` set columns
 * of the copies. The server sends their jobs when it looks for runs without a job.
 */
export async function copyRun(
  pool: Pick<pg.Pool, 'query'>,
  id: string,
  copies: number,
  more: object = {},
  moreOfSteps: object = {},
): Promise<string[]> {
  const run = {
    ...{ status: 'pending', job_id: null, lease_epoch: 0, last_seq: 0, steps_done: 0, active_ms: 0, error: null },
    ...{ started_at: null, completed_at: null, failed_at: null, ...more },
  };
  const step = {
    ...{ status: 'pending', attempts: 0, started_at: null, completed_at: null, duration_ms: null, result: null, error: null },
    ...{ provider: null, model: null, usage: null, refused_files: null, ...moreOfSteps },
  };
  const { rows } = await pool.query<{ id: string }>(
    `WITH copies AS (
        INSERT INTO executions SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()) || $3::jsonb)).*
        FROM executions AS one, generate_series(1, $2::integer) WHERE one.id = $1 RETURNING id),
      steps AS (
        INSERT INTO execution_steps SELECT (jsonb_populate_record(one, jsonb_build_object('execution_id', copies.id) || $4::jsonb)).*
        FROM execution_steps AS one, copies WHERE one.execution_id = $1)
      SELECT id FROM copies`,
    [id, copies, JSON.stringify(run), JSON.stringify(step)],
  );
  return rows.map((row) => row.id);
}
