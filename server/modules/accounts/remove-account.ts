import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { createPreparedStatements, transact } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { loseCallsOfAccount } from '../budgets/index.ts';
import { sumLeftSpend } from './sum-left-spend.ts';

type RemovalDeps = {
  pool: pg.Pool;
  /** Removes jobs and dead letters of these groups: the account's own id, and those of its agents. */
  forgetGroups: (run: ReturnType<typeof createPreparedStatements>, groups: readonly string[]) => Promise<void>;
  /** Removes emails about the account that this server stores. */
  forgetEmails: (userId: OwnerId) => Promise<void>;
};

/** Large tables, and how many of their rows one statement removes with all that belongs to them. The rest goes with the account's own row. */
const batches = [
  ['executions', 5],
  ['agent_commands', 500],
  ['agent_thoughts', 500],
  ['idempotency_keys', 200],
  ['input_sets', 10],
  ['git_bases', 1],
  ['git_blobs', 500],
  ['pipelines', 20],
  ['projects', 1],
] as const;
/** The pause between two batches (ms): users' work has priority. */
const pauseMs = 50;
/** Another node takes over a removal that has not ended within this time (minutes). Two at once do no harm. */
const leaseMinutes = 10;

/**
 * Returns an account whose time to be taken back is over, and marks that its removal has begun: from then on it cannot be taken back, and no
 * other node removes it. The clocks of both this process and the database must have come to that time. Null when there is none.
 */
export async function claimDueAccount(pool: pg.Pool, now: Date): Promise<OwnerId | null> {
  const { rows } = await pool.query<{ id: OwnerId }>(
    `UPDATE users SET removal_began_at = $1::timestamptz WHERE id IN (
      SELECT id FROM users WHERE deletion_due_at <= least($1::timestamptz, now())
        AND (removal_began_at IS NULL OR removal_began_at < $1::timestamptz - interval '${leaseMinutes} minutes')
      ORDER BY deletion_due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [now],
  );
  return rows[0]?.id ?? null;
}

/** Lets any node go on at once with a removal that the end of this process cut off. It still cannot be taken back. */
export async function releaseRemoval(pool: pg.Pool, userId: OwnerId): Promise<void> {
  await pool.query("UPDATE users SET removal_began_at = 'epoch' WHERE id = $1", [userId]);
}

/**
 * Removes an account with everything that belongs to it, in batches. Sums of costs on the operator's keys stay. A removal that was cut off is
 * repeated: the account's row goes last. G8.08
 */
export async function removeAccount(
  { pool, forgetGroups, forgetEmails }: RemovalDeps,
  userId: OwnerId,
  signal?: AbortSignal,
): Promise<void> {
  await forgetEmails(userId);
  await transact(pool, async (run) => {
    const rows = await run({
      text: `SELECT $1::uuid AS id UNION SELECT id FROM agents WHERE user_id = $1 UNION SELECT agent_id FROM agent_commands WHERE user_id = $1`,
      values: [userId],
    });
    await forgetGroups(
      run,
      rows.map(({ id }) => String(id)),
    );
  });
  await loseCallsOfAccount(createPreparedStatements(pool), userId);
  await sumLeftSpend(pool, userId, signal);
  for (const [table, size] of batches) {
    const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE user_id = $1 LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
    for (;;) {
      signal?.throwIfAborted();
      const { rowCount } = await pool.query(text, [userId]);
      if ((rowCount ?? 0) < size) break;
      await wait(pauseMs, undefined, { ref: false });
    }
  }
  await pool.query('DELETE FROM users WHERE id = $1', [userId]);
}
