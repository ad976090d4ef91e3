import type { Place } from '../../database/statement.ts';
import type { JobClaim, QueueName } from '../work-queue.ts';
import { notifying } from './insert-job.ts';

/**
 * A condition on the row of a job: it is running, and this is its newest claim. The state is compared as text: PostgreSQL expects few active jobs, and
 * would read all of them by their index, for each claim, rather than the one with the id.
 */
const isHeld = (job: string, claim: string) => `${job}.state::text = 'active' AND ${job}.retry_count = ${claim}`;

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

/** Builds SQL that stores how far the work of a job has come, and gives it `attempts` more where the last one stored progress. */
export function rememberProgress(
  schema: string,
  queue: QueueName,
  { id, claim }: JobClaim,
  { progress, attempts }: { progress: number; attempts: number | null },
  { source, place }: { source: string; place: Place },
): string {
  const granted = attempts === null ? '' : `, retry_limit = retry_count + ${place(attempts)}::integer`;
  return `UPDATE ${schema}.job SET data = coalesce(data, '{}') || jsonb_build_object('progress', ${place(progress)}::integer)${granted}
    WHERE name = '${queue}' AND id = ${place(id)}::uuid AND ${isHeld('job', `${place(claim)}::integer`)} AND EXISTS (SELECT 1 FROM ${source})`;
}

/** How long a confirmation counts as new (s). */
const confirmedForSeconds = 2;

/**
 * A statement that confirms running jobs, for the claims with the ids $1 and the numbers $2, and returns the ids of those that are still held. $3 is
 * what each job remembers: JSON, or null. It waits for no lock: a job whose row is locked is confirmed the next time. A job that was confirmed a moment ago is only read.
 */
export function confirmingJobs(schema: string, queue: QueueName): string {
  return `WITH mine AS (SELECT unnest($1::uuid[]) AS id, unnest($2::integer[]) AS claim, unnest($3::text[])::jsonb AS memo),
    held AS MATERIALIZED (SELECT job.id, heartbeat_on, memo FROM mine JOIN ${schema}.job ON job.name = '${queue}' AND job.id = mine.id
      WHERE ${isHeld('job', 'mine.claim')}),
    free AS MATERIALIZED (SELECT job.id, memo FROM held JOIN ${schema}.job ON job.name = '${queue}' AND job.id = held.id
      WHERE held.heartbeat_on < ${schema}.job_now() - ${confirmedForSeconds} * interval '1s' FOR NO KEY UPDATE OF job SKIP LOCKED),
    confirmed AS (UPDATE ${schema}.job SET heartbeat_on = ${schema}.job_now(),
        data = CASE WHEN memo IS NULL THEN data ELSE coalesce(data, '{}') || memo END FROM free WHERE job.name = '${queue}' AND job.id = free.id)
    SELECT id FROM held`;
}
