/** How often work of a start is run again. A migration that ends PostgreSQL each time must not run for ever. */
const maxLosses = 5;

/**
 * Runs work of a server's start, and runs it again when the database was lost meanwhile and is back. Work must be safe to repeat. Any other
 * error is thrown at once, and so is that of `untilAnswers`: the database does not come back.
 */
export async function repeatWhenLost<T>(work: () => Promise<T>, untilAnswers: () => Promise<void>): Promise<T> {
  for (let losses = 1; ; losses += 1) {
    try {
      return await work();
    } catch (error) {
      if (losses > maxLosses || !isLostConnection(error)) throw error;
      await untilAnswers();
    }
  }
}

/** Whether an error means that the connection was lost, or that none could be opened because the database is away or recovers. */
export function isLostConnection(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const { code, syscall } = at as NodeJS.ErrnoException;
    if (/^(?:08\w{3}|57P\w{2}|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(String(code))) return true;
    // The socket of a PostgreSQL that has ended.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    if (/^Connection terminated|timeout exceeded when trying to connect|not queryable/.test(at.message)) return true;
  }
  return false;
}
