import type { RunStatement } from '../../database/prepared-statements.ts';
import type { BindValue } from '../../database/statement.ts';
import type { JobClaim, JobMemo, NewJob, QueueName } from '../work-queue.ts';

/** The schema of pg-boss's tables. */
export const queueSchema = 'artel_queue';

/**
 * What this server's own SQL relies on in pg-boss's schema: the columns by table, beside the function `job_now` and the channel of notifications. No
 * other file names any of it. A test compares the list with the installed version. docs/decisions/what-the-work-queue-leaves-to-pg-boss.md
 * says what each statement is for, and why no function of pg-boss takes its place.
 */
export const reliedOn = {
  job: [
    ...['id', 'name', 'state', 'data', 'priority', 'group_id', 'created_on', 'started_on', 'start_after', 'heartbeat_on', 'keep_until'],
    ...['retry_count', 'output', 'completed_on'],
  ],
  queue: ['name', 'retention_seconds'],
  /** A new job takes them from its queue. */
  both: [
    ...['retry_limit', 'retry_delay', 'retry_backoff', 'retry_delay_max', 'policy', 'dead_letter'],
    ...['expire_seconds', 'deletion_seconds', 'heartbeat_seconds'],
  ],
};

const table = `${queueSchema}.job`;
const now = `${queueSchema}.job_now()`;
const ofQueue = reliedOn.both.join(', ');

type Within = { source: string; place: BindValue };

/** SQL that notifies other processes of a queue's job, on pg-boss's channel for all queues of this schema. */
const notifying = `pg_notify('pgboss_' || left(encode(sha224('${queueSchema}'::bytea), 'hex'), 24), name)`;

/** A statement that notifies other processes of a use of the queue $1, on the same channel. */
export const notifyingOfUse = `SELECT ${notifying} FROM (SELECT $1::text AS name) AS used`;

/**
 * A condition on the row of a job: it is running, and this is its newest claim. The state is compared as text: PostgreSQL expects few active jobs, and
 * would read all of them by their index, for each claim, rather than the one with the id.
 */
const isHeld = (claim: string) => `job.state::text = 'active' AND job.retry_count = ${claim}`;

const isJob = (queue: QueueName, id: string) => `job.name = '${queue}' AND job.id = ${id}`;

const isClaim = (queue: QueueName, { id, claim }: JobClaim, place: BindValue) =>
  `${isJob(queue, `${place(id)}::uuid`)} AND ${isHeld(`${place(claim)}::integer`)}`;

/**
 * Builds SQL that stores one job when `source`, a table expression of one row, has it. The row is the same as that of pg-boss's own `insert`.
 * `notify` notifies other processes of a job that is due at once. A taken job is stored as pg-boss's `fetch` leaves it.
 */
export function insertJob(
  queue: QueueName,
  { id, group, delayMs = 0, isTaken = false }: NewJob & { isTaken?: boolean },
  { source, place, notify }: Within & { notify: boolean },
): string {
  const [begun, begunAt] = isTaken ? [', state, started_on, heartbeat_on', `, 'active', ${now}, ${now}`] : ['', ''];
  return `INSERT INTO ${table} (id, name, start_after, created_on, group_id, keep_until, ${ofQueue}${begun})
    SELECT ${place(id)}::uuid, queue.name, due.at, ${now}, ${place(group)}::text, due.at + retention_seconds * interval '1s', ${ofQueue}${begunAt}
    FROM ${source}, ${queueSchema}.queue AS queue, LATERAL (SELECT ${now} + ${place(delayMs)} * interval '1 ms' AS at) AS due
    WHERE queue.name = '${queue}'${notify ? ` RETURNING CASE WHEN start_after <= ${now} THEN ${notifying} END` : ''}`;
}

/** Builds SQL that removes a running job when `source` has a row. */
export function removeJob(queue: QueueName, id: string, { source, place }: Within): string {
  return `DELETE FROM ${table} WHERE ${isJob(queue, `${place(id)}::uuid`)} AND EXISTS (SELECT 1 FROM ${source})`;
}

/** Builds a condition: a process still has the job by this claim. */
export function holdsJob(queue: QueueName, claim: JobClaim, place: BindValue): string {
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${isClaim(queue, claim, place)})`;
}

/** Builds SQL that stores how far the work of a job has come. Where the last attempt stored progress, it has `attempts` more and is suspected of nothing. */
export function rememberProgress(
  queue: QueueName,
  claim: JobClaim,
  { progress, attempts }: { progress: number; attempts: number | null },
  { source, place }: Within,
): string {
  const granted = attempts === null ? '' : ` || '${unsuspected}', retry_limit = retry_count + ${place(attempts)}::integer`;
  return `UPDATE ${table} SET data = coalesce(data, '{}') || jsonb_build_object('progress', ${place(progress)}::integer)${granted}
    WHERE ${isClaim(queue, claim, place)} AND EXISTS (SELECT 1 FROM ${source})`;
}

/** The claims with the ids $1 and the numbers $2. */
const claims = 'SELECT unnest($1::uuid[]) AS id, unnest($2::integer[]) AS claim';

/**
 * A statement that returns jobs to the queue, before those that have not begun. No attempt is charged, and the next claim has the next number:
 * pg-boss's own statements and `holdsJob` never take an earlier claim for a later one.
 */
export function returningJobs(queue: QueueName, { notify }: { notify: boolean }): string {
  return `WITH mine AS (${claims}),
    returned AS (UPDATE ${table} SET state = 'retry', retry_limit = retry_limit + 1, priority = 1, start_after = ${now}
      FROM mine WHERE ${isJob(queue, 'mine.id')} AND ${isHeld('mine.claim')} RETURNING name)
    SELECT ${notify ? notifying : 'name'} FROM returned GROUP BY name`;
}

/** Ends of its process while a job was watched, after which its attempts are used up. */
const maxStrikes = 3;
/** What a job remembers that is suspected of nothing. */
const unsuspected = '{"interruptions": 0, "strikes": 0}';
const remembered = (name: keyof JobMemo) => `coalesce((data->>'${name}')::integer, 0)`;

/** So much earlier than for pg-boss, which would charge an attempt, is a job silent (s). */
const earlierSeconds = 1;

/**
 * A statement that returns jobs of the queues $1 whose process has ended: all that are at work, or those that are silent. An ended process is no
 * failure of what it worked on, so no attempt is charged. Only a job that was watched then is seen to be the cause: it begins again after a pause that
 * grows from $2 (ms), and after the last such end its attempts are used up.
 */
export function interruptingJobs(which: 'all' | 'silent'): string {
  const isWatched = `coalesce((data->>'watched')::integer = retry_count, false)`;
  const isSilent = which === 'silent' ? `AND heartbeat_on + (heartbeat_seconds - ${earlierSeconds}) * interval '1s' < ${now}` : '';
  return `UPDATE ${table} SET state = 'retry',
      data = coalesce(data, '{}') || CASE WHEN ${isWatched} THEN jsonb_build_object('strikes', ${remembered('strikes')} + 1)
        ELSE jsonb_build_object('interruptions', ${remembered('interruptions')} + 1) END,
      retry_limit = CASE WHEN ${isWatched} AND ${remembered('strikes')} + 1 >= ${maxStrikes} THEN least(retry_limit, retry_count) + 1 ELSE retry_limit + 1 END,
      start_after = ${now} + CASE WHEN ${isWatched} THEN $2::integer * 6 ^ ${remembered('strikes')} * interval '1 ms' ELSE interval '0' END
    WHERE name = ANY ($1::text[]) AND state = 'active' ${isSilent} RETURNING id`;
}

/** A statement that notes that the job $1 is watched by its claim $2. Returns no row when another process has the job. */
export const watchingSuspect = (queue: QueueName): string => `UPDATE ${table} SET data = data || jsonb_build_object('watched', $2::integer)
  WHERE ${isJob(queue, '$1::uuid')} AND ${isHeld('$2::integer')} RETURNING id`;

/** A statement that ends the suspicion of the job $1 with the claim $2: its process has outlived it. */
export const clearingSuspect = (queue: QueueName): string => `UPDATE ${table}
  SET data = data || '${unsuspected}' || jsonb_build_object('watched', NULL, 'watches', ${remembered('watches')} + 1)
  WHERE ${isJob(queue, '$1::uuid')} AND ${isHeld('$2::integer')}`;

/** How long a confirmation counts as new (s). */
const confirmedForSeconds = 2;

/**
 * A statement that confirms running jobs, and returns the ids of those that are still held. $3 is what each job remembers: JSON, or null. It waits
 * for no lock: a job whose row is locked is confirmed the next time. A job that was confirmed a moment ago is only read.
 */
export function confirmingJobs(queue: QueueName): string {
  return `WITH mine AS (${claims}, unnest($3::text[])::jsonb AS memo),
    held AS MATERIALIZED (SELECT job.id, heartbeat_on, memo FROM mine JOIN ${table} ON ${isJob(queue, 'mine.id')} WHERE ${isHeld('mine.claim')}),
    free AS MATERIALIZED (SELECT job.id, memo FROM held JOIN ${table} ON ${isJob(queue, 'held.id')}
      WHERE held.heartbeat_on < ${now} - ${confirmedForSeconds} * interval '1s' FOR NO KEY UPDATE OF job SKIP LOCKED),
    confirmed AS (UPDATE ${table} SET heartbeat_on = ${now}, data = CASE WHEN memo IS NULL THEN data ELSE coalesce(data, '{}') || memo END
      FROM free WHERE ${isJob(queue, 'free.id')})
    SELECT id FROM held`;
}

export const unfinishedJobs = (queue: QueueName): string => `SELECT id FROM ${table} WHERE name = '${queue}' AND state < 'completed'`;

export const exhaustedJobs = (): string => `SELECT id FROM ${table} WHERE state = 'failed' UNION ALL SELECT job_id FROM dead_letters`;

/** Stores a heartbeat of $1 seconds for the queue $2, also one that is too short for pg-boss's own call. New jobs take it from there. */
export const settingHeartbeat = `UPDATE ${queueSchema}.queue SET heartbeat_seconds = $1 WHERE name = ANY ($2::text[])`;

/** Moves jobs that have failed in all attempts into the server's own table, which backups include. */
export const collectingDead = `WITH dead AS (DELETE FROM ${table} WHERE state = 'failed' RETURNING id, name, group_id, output, completed_on)
  INSERT INTO dead_letters (id, queue, job_id, group_id, reason, died_at)
  SELECT gen_random_uuid(), name, id, coalesce(group_id, ''), coalesce(output->>'message', output->'value'->>'message', ''), completed_on FROM dead
  ON CONFLICT (job_id) DO NOTHING`;

/** Removes all jobs and dead letters of these groups in the caller's transaction. A database that no server has used yet has no jobs. */
export async function forgetGroups(run: RunStatement, groups: readonly string[]): Promise<void> {
  const values = [groups];
  await run({ text: 'DELETE FROM dead_letters WHERE group_id = ANY ($1::text[])', values });
  const [queue] = await run({ text: `SELECT to_regclass('${table}') IS NOT NULL AS exists`, values: [] });
  if (queue?.exists === true) await run({ text: `DELETE FROM ${table} WHERE group_id = ANY ($1::text[])`, values });
}
