import type { Place } from '../../database/statement.ts';
import type { NewJob, QueueName } from '../work-queue.ts';

/** SQL that notifies other processes of a queue's job, on pg-boss's channel for all queues of this schema. */
export const notifying = (schema: string, queue: string) =>
  `pg_notify('pgboss_' || left(encode(sha224('${schema}'::bytea), 'hex'), 24), ${queue})`;

/**
 * Builds SQL that stores one job when `source`, a table expression of one row, has it. The row is the same as that of pg-boss's own
 * `insert`, as part of a larger statement. `notify` notifies other processes of a job that is due at once. A taken job is stored as
 * pg-boss's `fetch` leaves it.
 */
export function insertJob(
  schema: string,
  queue: QueueName,
  { id, group, delayMs = 0, isTaken = false }: NewJob & { isTaken?: boolean },
  { source, place, notify }: { source: string; place: Place; notify: boolean },
): string {
  const told = notify ? ` RETURNING CASE WHEN start_after <= ${schema}.job_now() THEN ${notifying(schema, 'name')} END` : '';
  const taken = isTaken
    ? { names: ', state, started_on, heartbeat_on', values: `, 'active', ${schema}.job_now(), ${schema}.job_now()` }
    : null;
  return `INSERT INTO ${schema}.job (id, name, start_after, created_on, group_id, expire_seconds, deletion_seconds, keep_until,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds${taken?.names ?? ''})
    SELECT ${place(id)}::uuid, queue.name, due.at, ${schema}.job_now(), ${place(group)}::text, expire_seconds, deletion_seconds,
      due.at + retention_seconds * interval '1s', retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds${taken?.values ?? ''}
    FROM ${source}, ${schema}.queue AS queue, LATERAL (SELECT ${schema}.job_now() + ${place(delayMs)} * interval '1 ms' AS at) AS due
    WHERE queue.name = '${queue}'${told}`;
}

/** Builds SQL that removes a running job when `source` has a row. */
export function removeJob(schema: string, queue: QueueName, id: string, { source, place }: { source: string; place: Place }): string {
  return `DELETE FROM ${schema}.job WHERE name = '${queue}' AND id = ${place(id)}::uuid AND EXISTS (SELECT 1 FROM ${source})`;
}
