import { v7 } from 'uuid';
import type { Db } from '../../../platform/database/database.ts';
import { eq, sql } from '../../../platform/database/drizzle.ts';
import { runIn } from '../../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import { type TriggerRow, triggers } from '../tables.ts';
import { forgeReadings } from './tables.ts';

/** The pause between two readings at least (ms). */
export const pauseMs = 2_000;

/** Brings the reading of a trigger forward, in a transaction that has its row. During a reading, another one follows it. */
export async function bringForward(tx: Db, queue: Pick<WorkQueue, 'send'>, trigger: TriggerRow, ms: number): Promise<void> {
  const [reading] = await tx.select().from(forgeReadings).where(eq(forgeReadings.triggerId, trigger.id));
  if (trigger.jobId !== null && reading?.jobId === trigger.jobId) {
    await tx.update(forgeReadings).set({ isWanted: true }).where(eq(forgeReadings.triggerId, trigger.id));
    return;
  }
  const { rows } = await tx.execute<{ isSoon: boolean | null; pauseMs: number }>(sql`
    SELECT triggers.next_at <= now() + ${pauseMs} * interval '1 ms' AS "isSoon",
      greatest(0, coalesce(extract(epoch FROM reading.not_before - now()) * 1000, 0))::float8 AS "pauseMs"
    FROM triggers LEFT JOIN forge_readings AS reading ON reading.trigger_id = triggers.id WHERE triggers.id = ${trigger.id}::uuid`);
  if (!rows[0]?.isSoon) await sendReading(tx, queue, trigger, Math.max(ms, rows[0]?.pauseMs ?? 0));
}

/** Sets the next reading of a trigger, `ms` from now, and sends its job in the same transaction. */
export async function sendReading(
  tx: Db,
  queue: Pick<WorkQueue, 'send'>,
  { id, runAs }: Pick<TriggerRow, 'id' | 'runAs'>,
  ms: number,
): Promise<void> {
  const jobId = v7();
  await tx
    .update(triggers)
    .set({ nextAt: sql`now() + ${ms} * interval '1 ms'`, jobId })
    .where(eq(triggers.id, id));
  await queue.send(runIn(tx), 'forge', [{ id: jobId, group: runAs, delayMs: ms }]);
}
