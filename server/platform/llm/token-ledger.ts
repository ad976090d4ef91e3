import type { Pool } from 'pg';
import type { TokenLedger } from './daily-budget.ts';

type Batch = { tokens: number; stored: Promise<void> };

/**
 * The ledger in the database, whose clock decides the day. Usage that a user adds while a write of that user is running is written
 * with the next one: many concurrent calls do not queue for one row.
 */
export function createTokenLedger(pool: Pick<Pool, 'query'>): TokenLedger {
  const waiting = new Map<string, Batch>();
  const writing = new Map<string, Promise<void>>();

  return {
    async spentToday(userId) {
      const { rows } = await pool.query<{ tokens: string }>(
        `SELECT tokens FROM token_usage WHERE user_id = $1 AND day = (now() AT TIME ZONE 'utc')::date`,
        [userId],
      );
      return Number(rows[0]?.tokens ?? 0);
    },
    add(userId, tokens) {
      const joined = waiting.get(userId);
      if (joined) {
        joined.tokens += tokens;
        return joined.stored;
      }
      const before = writing.get(userId) ?? Promise.resolve();
      const batch: Batch = { tokens, stored: before.then(() => store(userId, batch)) };
      waiting.set(userId, batch);
      return batch.stored;
    },
  };

  async function store(userId: string, batch: Batch): Promise<void> {
    waiting.delete(userId);
    const write = pool.query(upsert, [userId, batch.tokens]).then(() => {});
    const settled = write
      .catch(() => {})
      .finally(() => {
        if (writing.get(userId) === settled) writing.delete(userId);
      });
    writing.set(userId, settled);
    await write;
  }
}

/** A late write for yesterday is dropped: the limit of yesterday no longer matters. */
const upsert = `
  INSERT INTO token_usage AS known (user_id, day, tokens) VALUES ($1, (now() AT TIME ZONE 'utc')::date, $2)
  ON CONFLICT (user_id) DO UPDATE
  SET tokens = excluded.tokens + CASE WHEN known.day = excluded.day THEN known.tokens ELSE 0 END, day = excluded.day
  WHERE known.day <= excluded.day`;
