import type pg from 'pg';

/** Marks every active job as if all its attempts had been cut off: its next attempt is beyond the limit. */
export async function exhaustAttempts(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(
    `UPDATE artel_queue.job SET state = 'retry', retry_count = retry_limit, start_after = now()
      WHERE name IN ('execution', 'command') AND state = 'active'`,
  );
}
