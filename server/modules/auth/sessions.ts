import { v7 } from 'uuid';
import { type Refreshed, type Session, type SocketTicket, socketTicketSeconds, type User } from '../../../contract/account.ts';
import { ApiError } from '../../http/api-error.ts';
import type { SignedIn } from '../../http/call.ts';
import { inTurnOf } from '../../platform/database/account-turns.ts';
import type { Db } from '../../platform/database/database.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { hashOfToken, newToken } from '../../platform/secrets/tokens.ts';
import { makeAccessTokens } from './access-tokens.ts';
import type { ClientRecognition } from './client-recognition.ts';
import { judgeTokenUse, makeRefreshTokens, refreshTokenDays } from './refresh-tokens.ts';
import { AuthRepository, readOpenSession, type UserRow } from './repository.ts';
import { createSessionCache } from './session-cache.ts';

type AuthRules = {
  registration: 'open' | 'closed';
  staffEmails: readonly string[];
  /** Whether the first account becomes staff: only if the settings admit this machine only, and only for its requests. */
  firstAccountIsStaff: boolean;
};

export type SessionsDeps = {
  db: Db;
  secret: SecretKey;
  rules: AuthRules;
  /** Called after a session has ended, so that its open connections can be closed. */
  onSessionEnded: (sessionId: string, userId: string) => void;
  places: Pick<ClientRecognition, 'placeOf'>;
  /** Whether no other process changes accounts and sessions: then open sessions are remembered. */
  isAlone: boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
};

const dayMs = 86_400_000;

/** The sessions of accounts: their access tokens, refresh tokens and socket tickets. */
export class Sessions {
  private readonly deps: SessionsDeps;
  private readonly accessTokens;
  private readonly refreshTokens;
  private readonly readOpenSession;
  private readonly cache;

  constructor(deps: SessionsDeps) {
    this.deps = deps;
    this.accessTokens = makeAccessTokens(deps.secret);
    this.refreshTokens = makeRefreshTokens(deps.secret);
    this.readOpenSession = readOpenSession(deps.db);
    this.cache = deps.isAlone ? createSessionCache() : null;
  }

  /** Opens a session in the given transaction. */
  async open(db: Db, row: UserRow, address: string | null): Promise<Session> {
    const repository = new AuthRepository(db);
    const now = new Date(this.deps.now());
    const sessionId = v7();
    const refreshToken = this.refreshTokens.first();
    await repository.addSession({ id: sessionId, userId: row.id, expiresAt: expiryFrom(now), placeHash: this.placeOf(address) });
    await repository.addToken({ hash: hashOfToken(refreshToken), sessionId });
    const user = userOf(row);
    return { accessToken: await this.accessTokens.sign(user, sessionId, now.getTime()), refreshToken, user };
  }

  /**
   * Exchanges a refresh token for a new pair. A use that shows a second copy of the token ends the session
   * (`judgeTokenUse`). Throws `unauthorized`.
   */
  async refresh(token: string, address: string | null = null): Promise<Refreshed> {
    const now = new Date(this.deps.now());
    const outcome = await this.deps.db.transaction(async (tx) => {
      const repository = new AuthRepository(tx);
      const found = await repository.lockToken(hashOfToken(token));
      if (!found || found.session.endedAt || found.session.expiresAt <= now || isGone(found.user, now.getTime())) return null;
      const { session, user, token: used } = found;
      const successor = used.successorHash === null ? null : await repository.tokenByHash(used.successorHash);
      const meaning = judgeTokenUse(used, successor, now);
      if (meaning === 'stolen') {
        await repository.endSession(session.id, now);
        return { ended: session };
      }
      const issued = successor ? Math.max(1, used.successors) : 0;
      const next = this.refreshTokens.successorOf(token, meaning === 'repeat' ? issued : issued + 1);
      if (meaning !== 'repeat') {
        await repository.addToken({ hash: hashOfToken(next), sessionId: session.id });
        await repository.noteSuccessor(used.hash, { hash: hashOfToken(next), number: issued + 1 }, now);
      }
      await repository.touchSession(session.id, now, expiryFrom(now), this.placeOf(address));
      return { session, user, next };
    });
    if (outcome === null) throw new ApiError('unauthorized');
    if ('ended' in outcome && outcome.ended !== undefined) {
      this.deps.onSessionEnded(outcome.ended.id, outcome.ended.userId);
      throw new ApiError('unauthorized');
    }
    const user = userOf(outcome.user);
    return { accessToken: await this.accessTokens.sign(user, outcome.session.id, now.getTime()), refreshToken: outcome.next, user };
  }

  /** Ends the session of a refresh token. An unknown token is no error. */
  async logout(token: string): Promise<void> {
    const repository = new AuthRepository(this.deps.db);
    const found = await repository.tokenByHash(hashOfToken(token));
    const userId = found && (await repository.endSession(found.sessionId, new Date(this.deps.now())));
    if (found && userId !== null) this.deps.onSessionEnded(found.sessionId, userId);
  }

  /**
   * Returns the account of an access token; `isLocal` can make the first account staff. `count` is called before the session is looked up. Throws
   * `token_expired` or `unauthorized`, `account_leaving` for an account that is being deleted, and what `count` throws.
   */
  async authenticate(
    accessToken: string,
    isLocal = false,
    count: (userId: string) => Promise<void> = async () => {},
    isOpenToLeaving = false,
  ): Promise<SignedIn> {
    const now = this.deps.now();
    const { userId, sessionId, goodUntil } = await this.accessTokens.read(accessToken, now);
    await count(userId);
    const user = await inTurnOf(userId, () => this.userOf(sessionId, userId, now));
    if (!user) throw new ApiError('unauthorized');
    if (user.deletionDueAt !== null && !isOpenToLeaving) throw new ApiError('account_leaving');
    return { ...userOf(user), sessionId, tokenGoodUntil: goodUntil, isStaff: isStaff(this.deps.rules, user, isLocal) };
  }

  /** Creates a ticket that opens one WebSocket for this session, once and within `socketTicketSeconds`. */
  async issueTicket({ id, sessionId, tokenGoodUntil }: Pick<SignedIn, 'id' | 'sessionId' | 'tokenGoodUntil'>): Promise<SocketTicket> {
    const ticket = newToken();
    await new AuthRepository(this.deps.db).addTicket({
      hash: hashOfToken(ticket),
      sessionId,
      userId: id,
      tokenGoodUntil: new Date(tokenGoodUntil),
      expiresAt: new Date(this.deps.now() + socketTicketSeconds * 1_000),
    });
    return { ticket, expiresInSeconds: socketTicketSeconds };
  }

  /** Returns the account of a ticket and spends it. Throws `unauthorized` for an invalid or expired ticket, or an ended session. */
  async redeemTicket(ticket: string): Promise<SignedIn> {
    const now = this.deps.now();
    const taken = await new AuthRepository(this.deps.db).takeTicket(hashOfToken(ticket), new Date(now));
    const user = taken && (await this.userOf(taken.sessionId, taken.userId, now));
    if (!taken || !user || user.deletionDueAt !== null || taken.tokenGoodUntil.getTime() <= now) throw new ApiError('unauthorized');
    return {
      ...userOf(user),
      sessionId: taken.sessionId,
      tokenGoodUntil: taken.tokenGoodUntil.getTime(),
      isStaff: isStaff(this.deps.rules, user, false),
    };
  }

  /** Returns those of these sessions that are open. */
  async openSessions(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await new AuthRepository(this.deps.db).openSessions(ids, new Date(this.deps.now())));
  }

  /** Forgets what is remembered of sessions. Called after each change of accounts and sessions. */
  forget(): void {
    this.cache?.clear();
  }

  /** Returns the account of an open session; null for another account's. */
  private async userOf(sessionId: string, userId: string, now: number): Promise<UserRow | null> {
    const load = () => this.readOpenSession(sessionId, userId, new Date(now));
    const session = await (this.cache ? this.cache.read(sessionId, now, load) : load());
    return session?.user.id === userId && !isGone(session.user, now) ? session.user : null;
  }

  private placeOf(address: string | null): string | null {
    return address === null ? null : this.deps.places.placeOf(address);
  }
}

/**
 * Whether an account is staff: its verified address is in the settings, or it is the first account on its own machine. Computed at each
 * request, so that a change of settings or address applies at once.
 */
export function isStaff({ staffEmails, firstAccountIsStaff }: AuthRules, user: UserRow, isLocal: boolean): boolean {
  const isNamed = user.emailVerifiedAt !== null && staffEmails.includes(user.email);
  return isNamed || (user.isFirst && firstAccountIsStaff && isLocal);
}

/** Whether an account was deleted, and can no longer be taken back. Its data is removed a moment later. */
export function isGone({ deletionDueAt, removalBeganAt }: Pick<UserRow, 'deletionDueAt' | 'removalBeganAt'>, now: number): boolean {
  return removalBeganAt !== null || (deletionDueAt !== null && deletionDueAt.getTime() <= now);
}

export function userOf({ id, email, name, language, deletionDueAt }: UserRow): User {
  return { id, email, name, language, deletionDueAt: deletionDueAt?.toISOString() ?? null };
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + refreshTokenDays * dayMs);
}
