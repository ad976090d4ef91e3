import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

/** More writes than the connections that all nodes leave to one account at the same time. */
const distance = 200;

/**
 * Counts in a transaction what has a limit. Near the limit it first waits until no other transaction has the account's turn, and keeps it to the end of
 * this one: what is counted then stays true. Further away writes do not wait for each other.
 */
export async function countInTurn(
  db: Db,
  { userId, limit, count }: { userId: OwnerId; limit: number; count: () => Promise<number> },
): Promise<number> {
  const before = await count();
  if (before < limit - distance) return before;
  await db.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  return count();
}
