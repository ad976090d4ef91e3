import { setTimeout as wait } from 'node:timers/promises';

/** The pause between two attempts while the database is away (ms). */
const pauseMs = 250;

/**
 * Runs work on the database, and repeats it during an outage. Work must not be lost because PostgreSQL was restarted, or its disk was full
 * for a while. Any other error is thrown at once. Work must be a transaction, or safe to repeat. Rejects with the last error when `closing`
 * aborts.
 */
export async function retryOnOutage<T>(work: () => Promise<T>, closing: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (closing.aborted || !isOutage(error)) throw error;
      await wait(pauseMs, undefined, { signal: closing }).catch(() => {
        throw error;
      });
    }
  }
}

/** Whether an error means that the database is unavailable, rather than that the query is wrong. */
export function isOutage(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && outageCodes.test(code)) return true;
    if (
      /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection is closed|not queryable/i.test(
        at.message,
      )
    )
      return true;
  }
  return false;
}

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 57P (operator), 40 (serialisation, deadlock), 25006 (read-only, as after a failover), 25P03
 * (a transaction that was idle for too long).
 * Also 57014 and 55P03 (timeout of a statement or a lock), and the sockets' own codes.
 */
const outageCodes =
  /^(?:08\w{3}|53\w{3}|57P\w{2}|40001|40P01|25006|25P03|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/;
