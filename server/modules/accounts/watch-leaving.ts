import type pg from 'pg';
import { singleFlight } from '../../../async/single-flight.ts';
import { claimDueAccount, releaseRemoval } from './remove-account.ts';

type LeavingWatchDeps = {
  pool: pg.Pool;
  stopWork: (userId: string) => Promise<void>;
  remove: (userId: string, signal: AbortSignal) => Promise<void>;
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
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;

  const warn = (error: unknown, userId?: string) => log.warn({ err: error, userId }, 'The deletion of an account was interrupted');

  /** A run may have started while its account was being locked, or this process ended before it stopped them all. */
  const stopLeft = async () => {
    // By chance: accounts whose work cannot be stopped do not take every round.
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM users WHERE deletion_due_at IS NOT NULL AND (
        EXISTS (SELECT FROM executions WHERE user_id = users.id AND status IN ('pending', 'running', 'paused') AND NOT not_started)
        OR EXISTS (SELECT FROM agent_commands WHERE user_id = users.id AND status IN ('pending', 'running'))) ORDER BY random() LIMIT ${batch}`);
    for (const { id } of rows) {
      if (closing.signal.aborted) return;
      await stopWork(id).catch((error: unknown) => warn(error, id));
    }
  };
  /** An account that cannot be removed is tried again when its lease is over. The others do not wait for it. */
  const removeDue = async () => {
    for (;;) {
      const userId = closing.signal.aborted ? null : await claimDueAccount(pool, now());
      if (userId === null) return;
      try {
        await stopWork(userId);
        await remove(userId, closing.signal);
        log.info({ userId }, 'A deleted account was removed');
      } catch (error) {
        warn(error, userId);
        if (closing.signal.aborted) await releaseRemoval(pool, userId);
      }
    }
  };
  const look = singleFlight(async () => {
    for (const work of [stopLeft, removeDue]) {
      if (closing.signal.aborted) return;
      await work().catch((error: unknown) => warn(error));
    }
  });

  return {
    start: (everyMs: number) => {
      void look();
      timer = setInterval(() => void look(), everyMs);
      timer.unref();
    },
    /** Resolves when the round under way has ended. */
    stop: async () => {
      closing.abort();
      if (timer) clearInterval(timer);
      await look.settled();
    },
  };
}
