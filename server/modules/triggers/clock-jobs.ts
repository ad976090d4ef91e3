import { v7 } from 'uuid';
import { ApiError } from '../../http/api-error.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { eq, sql } from '../../platform/database/drizzle.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { type TriggerRow, triggers } from './tables.ts';

/** Sets the next instant of a trigger from now on, and sends its job; without a next instant there is none. */
export async function startClock(
  tx: Db,
  triggerId: string,
  queue: Pick<WorkQueue, 'send'>,
  nextAfter: (from: Date) => Date | null,
): Promise<TriggerRow> {
  const { rows } = await tx.execute<{ now: string }>(sql`SELECT now() AS now`);
  const from = new Date(String(rows[0]?.now));
  const nextAt = nextAfter(from);
  const jobId = nextAt === null ? null : v7();
  const [row] = await tx.update(triggers).set({ nextAt, jobId }).where(eq(triggers.id, triggerId)).returning();
  if (!row) throw new ApiError('not_found');
  if (nextAt !== null && jobId !== null)
    await sendClockJob({ queue, run: runIn(tx) }, { id: jobId, runAs: row.runAs, ms: elapsedBetween(from, nextAt) });
  return row;
}

/** Sends the job that waits for the next instant of a trigger, for `ms` by the clock of the database. */
export async function sendClockJob(
  { queue, run }: { queue: Pick<WorkQueue, 'send'>; run: RunStatement },
  { id, runAs, ms }: { id: string; runAs: string; ms: number },
): Promise<void> {
  await queue.send(run, 'trigger', [{ id, group: runAs, delayMs: Math.max(0, ms) }]);
}

/** Gives triggers other jobs. Returns their ids. */
export async function assignNewJobs(run: RunStatement, ids: readonly string[]): Promise<string[]> {
  const jobIds = ids.map(() => v7());
  const text = `UPDATE triggers SET job_id = given.job FROM unnest($1::uuid[], $2::uuid[]) AS given (id, job) WHERE triggers.id = given.id`;
  await run({ text, values: [ids, jobIds] });
  return jobIds;
}
