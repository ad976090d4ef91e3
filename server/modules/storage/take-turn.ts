import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';

/**
 * Queues what takes the turn of its account before it has a connection: a thousand that wait for one row would hold the connections that the
 * account may have, and each a place of the database.
 */
export function createTurns(): AdmissionQueue {
  return new AdmissionQueue({ atOnce: 8, atOncePerAccount: 1, maxWaiting: 5_000, maxPerAccount: 1_000 });
}

/** Waits until no other transaction has the account's turn, and keeps it to the end of this one. What is counted then stays true. */
export async function takeTurn(db: Db, userId: string): Promise<void> {
  await db.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
}
