import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';

/** Blobs that one statement looks at: others write meanwhile. */
const batch = 5_000;
/** A base that was just stored is not used yet. */
const restMinutes = 60;

/**
 * Removes bases that no set uses any more, and blobs that no base has. A set that takes one at the same time keeps it: the removal then ends,
 * and the next one goes on. Returns how many bases were removed.
 */
export async function removeUnusedBases(db: Db, userId: OwnerId | null = null): Promise<number> {
  return removeAll(db, userId).catch((error: unknown) => {
    if (isStillUsed(error)) return 0;
    throw error;
  });
}

/** A foreign key of PostgreSQL found a row that was just added. */
function isStillUsed(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code === '23503' || cause?.code === '23503';
}

async function removeAll(db: Db, userId: OwnerId | null): Promise<number> {
  const owner = userId === null ? sql`true` : sql`user_id = ${userId}`;
  const { rowCount } = await db.execute(sql`DELETE FROM git_bases WHERE id IN (SELECT id FROM git_bases WHERE ${owner}
    AND created_at < now() - make_interval(mins => ${restMinutes})
    AND NOT EXISTS (SELECT 1 FROM input_sets WHERE base_id = git_bases.id) FOR UPDATE SKIP LOCKED)`);
  let after = { user_id: '00000000-0000-0000-0000-000000000000', oid: '' };
  for (;;) {
    const { rows } = await db.execute<{ user_id: OwnerId; oid: string }>(sql`SELECT user_id, oid FROM git_blobs
      WHERE ${owner} AND (user_id, oid) > (${after.user_id}::uuid, ${after.oid}::text) ORDER BY user_id, oid LIMIT ${batch}`);
    const last = rows.at(-1);
    if (!last) return rowCount ?? 0;
    await db.execute(sql`DELETE FROM git_blobs WHERE (user_id, oid) IN (SELECT user_id, oid FROM git_blobs WHERE ${owner}
      AND (user_id, oid) > (${after.user_id}::uuid, ${after.oid}::text) AND (user_id, oid) <= (${last.user_id}::uuid, ${last.oid}::text)
      AND created_at < now() - make_interval(mins => ${restMinutes}) AND NOT EXISTS (SELECT 1 FROM git_base_files AS files
        WHERE files.user_id = git_blobs.user_id AND files.oid = git_blobs.oid) FOR UPDATE SKIP LOCKED)`);
    after = last;
  }
}
