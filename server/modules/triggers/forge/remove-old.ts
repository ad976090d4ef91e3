import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';

/** How long it is known what was handled, and which issues are closed (days). */
const keptDays = 365;
/** Older labels and words of others are not taken any more (days): what was handled is known for longer, so that nothing is taken twice. */
export const takenDays = 180;
export const dayMs = 86_400_000;
const removedAtOnce = 1_000;

/**
 * Removes what has been handled long ago, one batch. Issues that are open stay: a comment on their pull request goes on with them. Of a repository that the
 * project is no longer published to, all old issues go. Returns whether there may be more.
 */
export async function removeOldForgeWork(db: Db, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  const seen = await db.execute(sql`DELETE FROM forge_seen WHERE (trigger_id, what) IN
    (SELECT trigger_id, what FROM forge_seen WHERE seen_at < ${before} ORDER BY seen_at LIMIT ${removedAtOnce})`);
  const threads = await db.execute(sql`DELETE FROM forge_threads WHERE id IN (SELECT id FROM forge_threads AS thread
    WHERE updated_at < ${before}
      AND (state = 'closed' OR NOT EXISTS (SELECT FROM forge_readings WHERE trigger_id = thread.trigger_id AND url = thread.url))
      AND NOT EXISTS (SELECT FROM executions WHERE id = thread.execution_id AND status IN ('pending', 'running', 'paused'))
    LIMIT ${removedAtOnce} FOR UPDATE OF thread SKIP LOCKED)`);
  return seen.rowCount === removedAtOnce || threads.rowCount === removedAtOnce;
}
