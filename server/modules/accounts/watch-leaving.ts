import type pg from 'pg';
import type { OwnerId } from '../../platform/owner-id.ts';
import { createRounds } from '../../platform/rounds.ts';
import { claimDueAccount, releaseRemoval } from './remove-account.ts';

type LeavingWatchDeps = {
  pool: pg.Pool;
  stopWork: (userId: OwnerId) => Promise<void>;
  remove: (userId: OwnerId, signal: AbortSignal) => Promise<void>;
  now: () => Date;
  log: { info: (about: object, line: string) => void; warn: (about: object, line: string) => void };
};

/** Accounts whose work one round stops. */
const batch = 20;

/**
 * Stops the work of accounts that are being deleted, and removes those whose time is over. All of it is in the database, so it holds over restarts,
 * and all nodes may watch at the same time. G8.08
 */
export function createLeavingWatch({ pool, stopWork, remove, now, log }: LeavingWatchDeps) {
  const warn = (error: unknown, userId?: OwnerId) => log.warn({ err: error, userId }, 'The deletion of an account was interrupted');

  /** A run may have started while its account was being locked, or this process ended before it stopped them all. */
  const stopLeft = async (signal: AbortSignal) => {
    // By chance: accounts whose work cannot be stopped do not take every round.
    const { rows } = await pool.query<{ id: OwnerId }>(`SELECT id FROM users WHERE deletion_due_at IS NOT NULL AND (
        EXISTS (SELECT FROM executions WHERE user_id = users.id AND status IN ('pending', 'running', 'paused') AND NOT not_started)
        OR EXISTS (SELECT FROM agent_commands WHERE user_id = users.id AND status IN ('pending', 'running'))) ORDER BY random() LIMIT ${batch}`);
    for (const { id } of rows) {
      if (signal.aborted) return;
      await stopWork(id).catch((error: unknown) => warn(error, id));
    }
  };
  /** An account that cannot be removed is tried again when its lease is over. The others do not wait for it. */
  const removeDue = async (signal: AbortSignal) => {
    for (;;) {
      const userId = signal.aborted ? null : await claimDueAccount(pool, now());
      if (userId === null) return;
      try {
        await stopWork(userId);
        await remove(userId, signal);
        log.info({ userId }, 'A deleted account was removed');
      } catch (error) {
        warn(error, userId);
        if (signal.aborted) await releaseRemoval(pool, userId);
      }
    }
  };
  return createRounds(async (signal) => {
    for (const work of [stopLeft, removeDue]) {
      if (signal.aborted) return;
      await work(signal).catch((error: unknown) => warn(error));
    }
  });
}
