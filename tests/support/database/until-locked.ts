import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

/** Resolves when so many statements that name a table wait for locks of others. */
export async function untilLocked(pool: Pick<pg.Pool, 'query'>, table: string, count = 1): Promise<void> {
  for (const limit = Date.now() + 60_000; ; await wait(10)) {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [`%${table}%`],
    );
    if (rows.length >= count) return;
    if (Date.now() > limit) throw new Error(`${rows.length} statements wait for ${table}.`);
  }
}
