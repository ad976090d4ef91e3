import { inputLimits } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';

const hourMs = 60 * 60 * 1_000;

/** Removes sets that no run has used within a day, those of starts within an hour, with their files. A set that a run starts with at the same time stays. Returns the number. */
export async function removeUnsentSets(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - inputLimits.unsentHours * hourMs);
  const { rowCount } = await db.execute(sql`DELETE FROM input_sets WHERE id IN (
    SELECT id FROM input_sets WHERE sealed_at IS NULL AND (created_at < ${before} OR starts_until < ${now}) FOR UPDATE SKIP LOCKED)`);
  return rowCount ?? 0;
}
