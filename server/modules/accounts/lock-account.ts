import type pg from 'pg';
import type { OwnerId } from '../../platform/owner-id.ts';

export type FoundAccount = { id: OwnerId; email: string; language: 'ru' | 'en' };

/** Returns the account with this address, or null. */
export async function findAccount(pool: pg.Pool, email: string): Promise<FoundAccount | null> {
  const { rows } = await pool.query<{ id: OwnerId; email: string; language: 'ru' | 'en' | null }>(
    'SELECT id, email, language FROM users WHERE email = lower($1)',
    [email],
  );
  return rows[0] ? { ...rows[0], language: rows[0].language ?? 'ru' } : null;
}

/**
 * Locks an account and ends its sessions, without a server: one that runs stops the runs within a minute. With `isFinal` it can no longer be
 * taken back, and the caller removes it. Returns until when it can be taken back.
 */
export async function lockAccount(pool: pg.Pool, userId: OwnerId, dueAt: Date, { isFinal }: { isFinal: boolean }): Promise<Date> {
  const set = isFinal ? 'deletion_due_at = $2, removal_began_at = now()' : 'deletion_due_at = coalesce(deletion_due_at, $2)';
  const { rows } = await pool.query<{ due: Date }>(`UPDATE users SET ${set} WHERE id = $1 RETURNING deletion_due_at AS due`, [
    userId,
    dueAt,
  ]);
  await pool.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL', [userId]);
  return rows[0]?.due ?? dueAt;
}

/** Ends the unfinished work of an account without a server: a worker that has some of it can write nothing any more. */
export async function fenceWork(pool: pg.Pool, userId: OwnerId): Promise<void> {
  for (const [table, unfinished] of [
    ['executions', "'pending', 'running', 'paused'"],
    ['agent_commands', "'pending', 'running'"],
  ])
    await pool.query(
      `UPDATE ${table} SET status = 'cancelled', lease_epoch = lease_epoch + 1 WHERE user_id = $1 AND status IN (${unfinished})`,
      [userId],
    );
}
