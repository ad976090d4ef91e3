import type { Db } from '../../platform/database/database.ts';
import { and, eq, inArray, isNull, lt, ne, sql } from '../../platform/database/drizzle.ts';
import type { OpenSession } from './session-cache.ts';
import { emailVerifications, passwordResets, refreshTokens, sessions, socketTickets, users } from './tables.ts';

export type UserRow = typeof users.$inferSelect;

/** The lock of sign-ups, so that exactly one account is the first. */
const firstAccountLock = 4_118_500_002;

const tokensPerBatch = 1_000;

/** Queries on accounts, sessions and refresh tokens in one connection or transaction. */
export class AuthRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async userByEmail(email: string): Promise<UserRow | null> {
    return (await this.#db.select().from(users).where(eq(users.email, email)))[0] ?? null;
  }

  async userById(id: string): Promise<UserRow | null> {
    return (await this.#db.select().from(users).where(eq(users.id, id)))[0] ?? null;
  }

  /** Whether there is no account yet. No other account can be created until this transaction ends. */
  async isFirstAccount(): Promise<boolean> {
    await this.#db.execute(sql`SELECT pg_advisory_xact_lock(${firstAccountLock})`);
    return (await this.#db.select({ id: users.id }).from(users).limit(1)).length === 0;
  }

  /** Returns false when the email is taken. */
  async addUser(user: Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash' | 'isFirst' | 'language'>): Promise<UserRow | null> {
    const [row] = await this.#db.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning();
    return row ?? null;
  }

  async updateUser(
    id: string,
    change: { name?: string; email?: string; emailVerifiedAt?: null; language?: 'ru' | 'en' },
  ): Promise<UserRow | null> {
    const [row] = await this.#db
      .update(users)
      .set({ ...change, updatedAt: sql`now()` })
      .where(eq(users.id, id))
      .returning();
    return row ?? null;
  }

  /** Whether the account still has this password. It cannot change until the transaction ends. */
  async holdPassword(id: string, passwordHash: string): Promise<boolean> {
    const same = and(eq(users.id, id), eq(users.passwordHash, passwordHash));
    return (await this.#db.select({ id: users.id }).from(users).where(same).for('share')).length === 1;
  }

  /** Replaces a verified password. Returns false if the password has been changed meanwhile. */
  async replacePassword(id: string, from: string, to: string): Promise<boolean> {
    const rows = await this.#db
      .update(users)
      .set({ passwordHash: to, updatedAt: sql`now()` })
      .where(and(eq(users.id, id), eq(users.passwordHash, from)))
      .returning({ id: users.id });
    return rows.length === 1;
  }

  /**
   * Stores when the account can no longer be taken back, unless that is known already. Returns the stored time; null if the password has
   * been changed meanwhile, or the removal has begun.
   */
  async setDeletion(id: string, passwordHash: string, dueAt: Date): Promise<Date | null> {
    const [row] = await this.#db
      .update(users)
      .set({ deletionDueAt: sql`coalesce(${users.deletionDueAt}, ${dueAt})` })
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash), isNull(users.removalBeganAt)))
      .returning({ dueAt: users.deletionDueAt });
    return row?.dueAt ?? null;
  }

  /** Returns false when the removal of the account has begun. */
  async endDeletion(id: string): Promise<boolean> {
    const rows = await this.#db
      .update(users)
      .set({ deletionDueAt: null })
      .where(and(eq(users.id, id), isNull(users.removalBeganAt)))
      .returning({ id: users.id });
    return rows.length === 1;
  }

  async addReset(reset: { hash: string; userId: string; expiresAt: Date }): Promise<void> {
    await this.#db.insert(passwordResets).values(reset);
  }

  /** Returns the account of a valid reset token. */
  async userOfReset(hash: string, now: Date): Promise<UserRow | null> {
    const [row] = await this.#db
      .select({ user: users })
      .from(passwordResets)
      .innerJoin(users, eq(users.id, passwordResets.userId))
      .where(and(eq(passwordResets.hash, hash), sql`${passwordResets.expiresAt} > ${now}`));
    return row?.user ?? null;
  }

  /** Removes the token. Returns false when another call was first. */
  async takeReset(hash: string): Promise<boolean> {
    const rows = await this.#db.delete(passwordResets).where(eq(passwordResets.hash, hash)).returning({ hash: passwordResets.hash });
    return rows.length === 1;
  }

  async removeResets(userId: string): Promise<void> {
    await this.#db.delete(passwordResets).where(eq(passwordResets.userId, userId));
  }

  async removeExpiredResets(now: Date): Promise<void> {
    await this.#db.delete(passwordResets).where(lt(passwordResets.expiresAt, now));
  }

  async addVerification(verification: { hash: string; userId: string; email: string; expiresAt: Date }): Promise<void> {
    await this.#db.insert(emailVerifications).values(verification);
  }

  /** Removes the token. Returns null when it has expired, or another call was first. */
  async takeVerification(hash: string, now: Date): Promise<{ userId: string; email: string } | null> {
    const [row] = await this.#db
      .delete(emailVerifications)
      .where(and(eq(emailVerifications.hash, hash), sql`${emailVerifications.expiresAt} > ${now}`))
      .returning({ userId: emailVerifications.userId, email: emailVerifications.email });
    return row ?? null;
  }

  async removeVerifications(userId: string): Promise<void> {
    await this.#db.delete(emailVerifications).where(eq(emailVerifications.userId, userId));
  }

  async removeExpiredVerifications(now: Date): Promise<void> {
    await this.#db.delete(emailVerifications).where(lt(emailVerifications.expiresAt, now));
  }

  async addTicket(ticket: typeof socketTickets.$inferInsert): Promise<void> {
    await this.#db.insert(socketTickets).values(ticket);
  }

  /** Removes the ticket. Returns null when it has expired, or another call of any node was first. */
  async takeTicket(hash: string, now: Date): Promise<{ sessionId: string; userId: string; tokenGoodUntil: Date } | null> {
    const [row] = await this.#db
      .delete(socketTickets)
      .where(and(eq(socketTickets.hash, hash), sql`${socketTickets.expiresAt} > ${now}`))
      .returning({
        sessionId: socketTickets.sessionId,
        userId: socketTickets.userId,
        tokenGoodUntil: socketTickets.tokenGoodUntil,
      });
    return row ?? null;
  }

  async removeExpiredTickets(now: Date): Promise<void> {
    await this.#db.delete(socketTickets).where(lt(socketTickets.expiresAt, now));
  }

  /** Marks this address as verified. Returns false if the account's address has been changed meanwhile. */
  async noteVerified(userId: string, email: string, now: Date): Promise<boolean> {
    const rows = await this.#db
      .update(users)
      .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})`, updatedAt: sql`now()` })
      .where(and(eq(users.id, userId), eq(users.email, email)))
      .returning({ id: users.id });
    return rows.length === 1;
  }

  async countUnverified(emails: readonly string[]): Promise<number> {
    return emails.length === 0
      ? 0
      : (
          await this.#db
            .select({ id: users.id })
            .from(users)
            .where(and(inArray(users.email, [...emails]), isNull(users.emailVerifiedAt)))
        ).length;
  }

  /** Ends all open sessions of an account but one, or all with null. Returns the ended sessions. */
  async endOtherSessions(userId: string, keptId: string | null, now: Date): Promise<string[]> {
    const kept = keptId === null ? undefined : ne(sessions.id, keptId);
    const others = and(eq(sessions.userId, userId), kept, isNull(sessions.endedAt));
    return (await this.#db.update(sessions).set({ endedAt: now }).where(others).returning({ id: sessions.id })).map(({ id }) => id);
  }

  async addSession(session: { id: string; userId: string; expiresAt: Date; placeHash: string | null }): Promise<void> {
    await this.#db.insert(sessions).values(session);
  }

  /** Null keeps the stored place. */
  async touchSession(id: string, now: Date, expiresAt: Date, placeHash: string | null): Promise<void> {
    const place = placeHash === null ? {} : { placeHash };
    await this.#db
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt, ...place })
      .where(eq(sessions.id, id));
  }

  /** Whether a session of the account, open or ended, was last used from this place. */
  async hasSessionFrom(email: string, placeHash: string, now: Date): Promise<boolean> {
    const rows = await this.#db
      .select({ id: sessions.id })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(users.email, email), eq(sessions.placeHash, placeHash), sql`${sessions.expiresAt} > ${now}`))
      .limit(1);
    return rows.length === 1;
  }

  /** Ends the session. Returns its account, or null when it was not open. */
  async endSession(id: string, now: Date): Promise<string | null> {
    const [row] = await this.#db
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
      .returning({ userId: sessions.userId });
    return row?.userId ?? null;
  }

  async openSessions(ids: readonly string[], now: Date): Promise<string[]> {
    const rows = await this.#db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.id, [...ids]), isNull(sessions.endedAt), sql`${sessions.expiresAt} > ${now}`));
    return rows.map(({ id }) => id);
  }

  /** Returns the token with its session and account. The session is locked until the transaction ends. */
  async lockToken(hash: string) {
    const [row] = await this.#db
      .select({ token: refreshTokens, session: sessions, user: users })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(refreshTokens.hash, hash))
      .for('update', { of: sessions });
    if (!row) return null;
    // Reads it again under the lock: another call may have used it meanwhile.
    const [token] = await this.#db.select().from(refreshTokens).where(eq(refreshTokens.hash, hash));
    const [session] = await this.#db.select().from(sessions).where(eq(sessions.id, row.session.id));
    return token && session ? { token, session, user: row.user } : null;
  }

  async tokenByHash(hash: string) {
    return (await this.#db.select().from(refreshTokens).where(eq(refreshTokens.hash, hash)))[0] ?? null;
  }

  async addToken(token: { hash: string; sessionId: string }): Promise<void> {
    await this.#db.insert(refreshTokens).values(token).onConflictDoNothing();
  }

  /** Stores the successor of a token. A successor that is replaced becomes invalid. */
  async noteSuccessor(hash: string, successor: { hash: string; number: number }, now: Date): Promise<void> {
    const before = this.#db.select({ hash: refreshTokens.successorHash }).from(refreshTokens).where(eq(refreshTokens.hash, hash));
    await this.#db.update(refreshTokens).set({ supersededAt: now }).where(inArray(refreshTokens.hash, before));
    await this.#db
      .update(refreshTokens)
      .set({
        successorHash: successor.hash,
        successors: successor.number,
        successorIssuedAt: now,
        firstUsedAt: sql`coalesce(${refreshTokens.firstUsedAt}, ${now})`,
      })
      .where(eq(refreshTokens.hash, hash));
  }

  async removeExpiredSessions(now: Date): Promise<void> {
    await this.#db.delete(sessions).where(lt(sessions.expiresAt, now));
  }

  /**
   * Removes refresh tokens that ended before a moment, one batch: those that were replaced, and those whose successor was used. The oldest go first: a token
   * without its successor would count as new. Returns whether there may be more.
   */
  async removeOldTokens(before: Date): Promise<boolean> {
    const { rowCount } = await this.#db.execute(sql`DELETE FROM refresh_tokens WHERE hash IN (SELECT hash FROM refresh_tokens AS old
      WHERE coalesce(first_used_at, superseded_at) < ${before} AND (superseded_at IS NOT NULL
        OR EXISTS (SELECT FROM refresh_tokens AS successor WHERE successor.hash = old.successor_hash AND successor.first_used_at < ${before}))
      ORDER BY coalesce(first_used_at, superseded_at) LIMIT ${tokensPerBatch})`);
    return rowCount === tokensPerBatch;
  }

  async otherUserHasEmail(email: string, userId: string): Promise<boolean> {
    const rows = await this.#db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), ne(users.id, userId)));
    return rows.length > 0;
  }
}

/** Returns an open session with its account. Most calls run it, so PostgreSQL and the query builder prepare it once. */
export function readOpenSession(db: Db): (sessionId: string, userId: string, now: Date) => Promise<OpenSession | null> {
  const [sessionId, userId, now] = [sql.placeholder('sessionId'), sql.placeholder('userId'), sql.placeholder('now')];
  const query = db
    .select({ user: users, expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isNull(sessions.endedAt), sql`${sessions.expiresAt} > ${now}`))
    .prepare('open_session');
  return async (session, user, at) => (await query.execute({ sessionId: session, userId: user, now: at }))[0] ?? null;
}
