import type { Place } from '../../database/statement.ts';
import type { JobClaim, QueueName } from '../work-queue.ts';
import { notifying } from './insert-job.ts';

/** A condition on the row of a job: it is running, and this is its newest claim. */
const isHeld = (job: string, claim: string) => `${job}.state = 'active' AND ${job}.retry_count = ${claim}`;

/** Builds a condition: a process still has the job by this claim. */
export function holdsJob(schema: string, queue: QueueName, { id, claim }: JobClaim, place: Place): string {
  return `EXISTS (SELECT 1 FROM ${schema}.job WHERE name = '${queue}' AND id = ${place(id)}::uuid AND ${isHeld('job', `${place(claim)}::integer`)})`;
}

/**
 * A statement that returns jobs to the queue, before those that have not begun, for the claims with the ids $1 and the numbers $2. No attempt is
 * charged, and the next claim has the next number: pg-boss's own statements and `holdsJob` never take an earlier claim for a later one.
 */
export function returningJobs(schema: string, queue: QueueName, { notify }: { notify: boolean }): string {
  return `WITH mine AS (SELECT unnest($1::uuid[]) AS id, unnest($2::integer[]) AS claim),
    returned AS (UPDATE ${schema}.job SET state = 'retry', retry_limit = retry_limit + 1, priority = 1, start_after = ${schema}.job_now()
      FROM mine WHERE job.name = '${queue}' AND job.id = mine.id AND ${isHeld('job', 'mine.claim')} RETURNING name)
    SELECT ${notify ? notifying(schema, 'name') : 'name'} FROM returned GROUP BY name`;
}
