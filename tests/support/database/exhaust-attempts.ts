import type pg from 'pg';
import type { QueueName } from '../../../server/platform/work-queue/work-queue.ts';

/** Marks every active job as if all its attempts had been cut off: its next attempt is beyond the limit. */
export async function exhaustAttempts(
  pool: Pick<pg.Pool, 'query'>,
  queues: readonly QueueName[] = ['execution', 'command'],
): Promise<void> {
  await pool.query(
    `UPDATE artel_queue.job SET state = 'retry', retry_count = retry_limit, start_after = now()
      WHERE name = ANY ($1::text[]) AND state = 'active'`,
    [queues],
  );
}
