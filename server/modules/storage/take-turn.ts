import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';

/** Waits until no other transaction has the account's turn, and keeps it to the end of this one. What is counted then stays true. */
export async function takeTurn(db: Db, userId: string): Promise<void> {
  await db.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
}
