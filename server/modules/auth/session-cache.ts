import type { UserRow } from './repository.ts';

/** The account of an open session, and when the session expires. */
export type OpenSession = { user: UserRow; expiresAt: Date };

/** The longest time for which an account is remembered (ms): a change by other means than the API applies after it. */
const maxAgeMs = 1_000;
const maxSessions = 10_000;

/**
 * Remembers the accounts of open sessions, so that a busy client costs no query for each call. Only for a server that is alone on its
 * database: `clear` is called after each change of accounts and sessions, and nothing that was read before it is remembered. So the end of
 * a session applies to the next call.
 */
export function createSessionCache() {
  const known = new Map<string, OpenSession & { until: number }>();
  let changes = 0;

  return {
    /** Returns what is known of a session, or reads it. `now`: milliseconds since the epoch, of the same clock as `expiresAt`. */
    async read(sessionId: string, now: number, load: () => Promise<OpenSession | null>): Promise<OpenSession | null> {
      const cached = known.get(sessionId);
      if (cached && now < cached.until && now >= cached.until - maxAgeMs) return cached.expiresAt.getTime() > now ? cached : null;
      const before = changes;
      const session = await load();
      if (session && before === changes) {
        if (known.size >= maxSessions) known.clear();
        known.set(sessionId, { ...session, until: now + maxAgeMs });
      }
      return session;
    },

    /** Forgets all sessions: an account or a session has changed. */
    clear(): void {
      changes += 1;
      known.clear();
    },
  };
}
