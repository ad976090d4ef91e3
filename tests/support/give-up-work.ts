import type pg from 'pg';

/** Makes the next attempt at every job under way the one after the last, as if each had been cut off five times. */
export async function giveUpWork(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(
    `UPDATE artel_queue.job SET state = 'retry', retry_count = retry_limit, start_after = now()
      WHERE name IN ('execution', 'command') AND state = 'active'`,
  );
}
