import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import {
  type Credentials,
  type Profile,
  type ProfileChange,
  type Refreshed,
  type Registration,
  type Session,
  type SocketTicket,
  socketTicketSeconds,
  type User,
} from '../../../contract/account.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, SignedIn } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Charge } from '../../http/limits/rate-limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { makeAccessTokens } from './access-tokens.ts';
import type { PlaceMemory } from './known-places.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { checkPassword } from './password-rule.ts';
import { hashOfToken, judgeTokenUse, makeRefreshTokens, refreshTokenDays } from './refresh-tokens.ts';
import { authRepository, type UserRow, userOfSession } from './repository.ts';

export type AuthRules = {
  registration: 'open' | 'closed';
  staffEmails: readonly string[];
  /** The first account is staff only where the settings let only this machine in, and for requests of this machine. */
  firstAccountIsStaff: boolean;
};

/** Where a sign-up comes from. */
export type Origin = { address: string | null; isLocal: boolean };
const unknownOrigin: Origin = { address: null, isLocal: false };

export type AuthDependencies = {
  db: Db;
  secret: SecretKey;
  passwords: PasswordHashing;
  rules: AuthRules;
  /** Gives a new account what it starts with, in the transaction that makes the account. */
  seed: (db: Db, userId: string, language: Language) => Promise<void>;
  /** Told after a session has ended, so that what it holds open can be closed. */
  onSessionEnded: (sessionId: string, userId: string) => void;
  places: Pick<PlaceMemory, 'placeOf'>;
  /** Limits guesses at the current password of an account. Throws `too_many_requests`. */
  countPasswordTry: (userId: string) => Promise<Charge>;
  /** Limits the emails that an account has sent to addresses that may be another's. Throws `too_many_requests`. */
  countVerification: (userId: string) => Promise<unknown>;
  mailer: Pick<Mailer, 'send'>;
  /** Where people reach the server, without a slash at the end: what links in letters begin with. */
  address: () => string;
  /** Told when a letter could not be sent. */
  onMailFailed: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
};

const dayMs = 86_400_000;
/** How long a letter's link to a new password works (ms). */
const resetMs = 30 * 60_000;
/** How long an email's link verifies its address (ms). */
const verificationMs = dayMs;

/** Accounts, sign-in and the sessions behind every token. */
export class AuthService {
  private readonly deps: AuthDependencies;
  private readonly access;
  private readonly refresh;
  private readonly userOfSession;
  private readonly letters = new Set<Promise<void>>();

  constructor(deps: AuthDependencies) {
    this.deps = deps;
    this.access = makeAccessTokens(deps.secret);
    this.refresh = makeRefreshTokens(deps.secret);
    this.userOfSession = userOfSession(deps.db);
  }

  /** Throws `registration_closed`, `password_weak` or `email_taken`. */
  async register(given: Registration, language: Language, origin: Origin = unknownOrigin): Promise<Session> {
    const { rules, db, passwords, seed } = this.deps;
    if (rules.registration === 'closed') throw new ApiError('registration_closed');
    checkPassword(given.password, given.email, language);
    const passwordHash = await passwords.hash(given.password);
    const { session, token } = await db.transaction(async (tx) => {
      const repository = authRepository(tx);
      const isFirst = (await repository.isFirstAccount()) && rules.firstAccountIsStaff && origin.isLocal;
      const user = await repository.addUser({ id: v7(), email: given.email, name: given.name, passwordHash, isFirst, language });
      if (!user) throw new ApiError('email_taken');
      await seed(tx, user.id, language);
      return { session: await this.openSession(tx, user, origin.address), token: await this.addVerification(tx, user) };
    });
    const links = { link: this.deps.address(), verify: this.verificationLink(token) };
    this.later(() => this.write(session.user.email, language, 'welcome', links));
    return session;
  }

  /** Throws `invalid_credentials` after the same time for an unknown email as for a wrong password. */
  async login({ email, password }: Credentials, address: string | null = null): Promise<Session> {
    const user = await authRepository(this.deps.db).userByEmail(email);
    const right = await this.deps.passwords.matches(user?.passwordHash ?? null, password);
    if (!user || !right) throw new ApiError('invalid_credentials');
    return this.deps.db.transaction(async (tx) => {
      // A password that is changed meanwhile opens no session.
      if (!(await authRepository(tx).holdPassword(user.id, user.passwordHash))) throw new ApiError('invalid_credentials');
      return this.openSession(tx, user, address);
    });
  }

  /**
   * Exchanges a refresh token for a new pair. A use that means that another program has a copy ends the session; what those
   * are `judgeTokenUse` says. Throws `unauthorized`.
   */
  async exchange(token: string, address: string | null = null): Promise<Refreshed> {
    const now = new Date(this.deps.now());
    const outcome = await this.deps.db.transaction(async (tx) => {
      const repository = authRepository(tx);
      const found = await repository.lockToken(hashOfToken(token));
      if (!found || found.session.endedAt || found.session.expiresAt <= now) return null;
      const { session, user, token: used } = found;
      const successor = used.successorHash === null ? null : await repository.tokenByHash(used.successorHash);
      const meaning = judgeTokenUse(used, successor, now);
      if (meaning === 'stolen') {
        await repository.endSession(session.id, now);
        return { ended: session };
      }
      const issued = successor ? Math.max(1, used.successors) : 0;
      const next = this.refresh.successorOf(token, meaning === 'repeat' ? issued : issued + 1);
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
    return { accessToken: await this.access.sign(user, outcome.session.id, now.getTime()), refreshToken: outcome.next, user };
  }

  /** Ends the session of a refresh token. An unknown one is no failure: whoever logs out is out. */
  async logout(token: string): Promise<void> {
    const repository = authRepository(this.deps.db);
    const found = await repository.tokenByHash(hashOfToken(token));
    const userId = found && (await repository.endSession(found.sessionId, new Date(this.deps.now())));
    if (found && userId !== null) this.deps.onSessionEnded(found.sessionId, userId);
  }

  /** The account behind an access token whose session is open. Only a local request finds the first account to be staff. Throws `token_expired` or `unauthorized`. */
  async authenticate(accessToken: string, isLocal = false): Promise<SignedIn> {
    const now = this.deps.now();
    const { userId, sessionId, goodUntil } = await this.access.read(accessToken, now);
    const user = await this.userOfSession(sessionId, userId, new Date(now));
    if (!user) throw new ApiError('unauthorized');
    return { ...userOf(user), sessionId, tokenGoodUntil: goodUntil, isStaff: this.isStaff(user, isLocal) };
  }

  /** A ticket that opens one WebSocket for this session, once and within `socketTicketSeconds`. */
  async issueTicket({ id, sessionId, tokenGoodUntil }: Pick<SignedIn, 'id' | 'sessionId' | 'tokenGoodUntil'>): Promise<SocketTicket> {
    const ticket = randomBytes(32).toString('base64url');
    await authRepository(this.deps.db).addTicket({
      ...{ hash: hashOfToken(ticket), sessionId, userId: id },
      tokenGoodUntil: new Date(tokenGoodUntil),
      expiresAt: new Date(this.deps.now() + socketTicketSeconds * 1_000),
    });
    return { ticket, expiresInSeconds: socketTicketSeconds };
  }

  /** The account behind a ticket, which is spent by it. Throws `unauthorized` for one that is not, or no longer, good, and when its session has ended. */
  async redeemTicket(ticket: string): Promise<SignedIn> {
    const now = new Date(this.deps.now());
    const taken = await authRepository(this.deps.db).takeTicket(hashOfToken(ticket), now);
    const user = taken && (await this.userOfSession(taken.sessionId, taken.userId, now));
    if (!taken || !user || taken.tokenGoodUntil <= now) throw new ApiError('unauthorized');
    return {
      ...userOf(user),
      sessionId: taken.sessionId,
      tokenGoodUntil: taken.tokenGoodUntil.getTime(),
      isStaff: this.isStaff(user, false),
    };
  }

  /** Those of these sessions that have neither ended nor run out. */
  async openSessions(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await authRepository(this.deps.db).openSessions(ids, new Date(this.deps.now())));
  }

  async profile(userId: string, isLocal = false): Promise<Profile> {
    const user = await authRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    return profileOf(user, this.isStaff(user, isLocal));
  }

  /** Throws `bad_request` when a new email comes without the right password, `email_taken`, or `forbidden` for one that names staff. */
  async updateProfile(userId: string, change: ProfileChange, language: Language, isLocal = false): Promise<Profile> {
    const { db, rules } = this.deps;
    const user = await authRepository(db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    const email = change.email !== undefined && change.email !== user.email ? change.email : undefined;
    if (email !== undefined) {
      await this.checkCurrentPassword(user, change.currentPassword ?? '', translate(language, 'field.current_password'));
      // Nobody becomes staff by taking a staff member's unused address.
      if (rules.staffEmails.includes(email) && !this.isStaff(user, isLocal)) throw new ApiError('forbidden');
      if (await authRepository(db).otherUserHasEmail(email, userId)) throw new ApiError('email_taken');
      await this.deps.countVerification(userId);
    }
    const { updated, token } = await db
      .transaction(async (tx) => {
        const repository = authRepository(tx);
        const updated = await repository.updateUser(userId, {
          ...(change.name !== undefined && { name: change.name }),
          ...(email !== undefined && { email, emailVerifiedAt: null }),
          ...(change.language !== undefined && { language: change.language }),
        });
        if (email === undefined || !updated) return { updated, token: null };
        // An email that went to the old address opens nothing any more.
        await repository.removeResets(userId);
        await repository.removeVerifications(userId);
        return { updated, token: await this.addVerification(tx, updated) };
      })
      .catch((error) => {
        // Taken between the look and the write.
        if (error?.cause?.code === '23505') throw new ApiError('email_taken');
        throw error;
      });
    if (!updated) throw new ApiError('unauthorized');
    if (token !== null)
      this.later(() => this.write(updated.email, updated.language ?? language, 'verify', { link: this.verificationLink(token) }));
    return profileOf(updated, this.isStaff(updated, isLocal));
  }

  /**
   * Changes the password and ends every session but the one that asks. Throws `bad_request` for a wrong current password, and
   * `password_weak`.
   */
  async changePassword(
    { id, sessionId }: SignedIn,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    language: Language,
  ): Promise<void> {
    const { db, passwords } = this.deps;
    const user = await authRepository(db).userById(id);
    if (!user) throw new ApiError('unauthorized');
    await this.checkCurrentPassword(user, currentPassword, translate(language, 'field.wrong_password'));
    checkPassword(newPassword, user.email, language, 'newPassword');
    const passwordHash = await passwords.hash(newPassword);
    const ended = await db.transaction(async (tx) => {
      const repository = authRepository(tx);
      if (!(await repository.replacePassword(id, user.passwordHash, passwordHash))) throw new ApiError('conflict');
      await repository.removeResets(id);
      return repository.endOtherSessions(id, sessionId, new Date(this.deps.now()));
    });
    for (const session of ended) this.deps.onSessionEnded(session, id);
  }

  /**
   * Sends a letter with a link to a new password, if the email is known. All of it happens after the answer, so that the time
   * of the answer tells nobody whether it is.
   */
  sendReset(email: string, language: Language): void {
    this.later(async () => {
      const repository = authRepository(this.deps.db);
      const user = await repository.userByEmail(email);
      if (!user) return;
      const token = randomBytes(32).toString('base64url');
      await repository.addReset({ hash: hashOfToken(token), userId: user.id, expiresAt: new Date(this.deps.now() + resetMs) });
      await this.write(email, user.language ?? language, 'reset', { link: `${this.deps.address()}/reset-password?token=${token}` });
    });
  }

  /** Sets a new password and ends every session. Throws `bad_request` for a token that is not, or no longer, good, and `password_weak`. */
  async resetPassword({ token, newPassword }: { token: string; newPassword: string }, language: Language): Promise<void> {
    const { db, passwords } = this.deps;
    const now = new Date(this.deps.now());
    const spent = () => new ApiError('bad_request', { errors: [{ path: 'token', message: translate(language, 'field.reset_token') }] });
    const user = await authRepository(db).userOfReset(hashOfToken(token), now);
    if (!user) throw spent();
    checkPassword(newPassword, user.email, language, 'newPassword');
    const passwordHash = await passwords.hash(newPassword);
    const ended = await db.transaction(async (tx) => {
      const repository = authRepository(tx);
      if (!(await repository.takeReset(hashOfToken(token)))) throw spent();
      if (!(await repository.replacePassword(user.id, user.passwordHash, passwordHash))) throw new ApiError('conflict');
      await repository.removeResets(user.id);
      // The link came by an email to this address.
      await repository.noteVerified(user.id, user.email, now);
      return repository.endOtherSessions(user.id, null, now);
    });
    for (const session of ended) this.deps.onSessionEnded(session, user.id);
  }

  /** Verifies the address that the token was sent to. Throws `bad_request` for a token that is not, or no longer, good. */
  async verifyEmail(token: string, language: Language): Promise<void> {
    const now = new Date(this.deps.now());
    const isVerified = await this.deps.db.transaction(async (tx) => {
      const repository = authRepository(tx);
      const taken = await repository.takeVerification(hashOfToken(token), now);
      if (!taken || !(await repository.noteVerified(taken.userId, taken.email, now))) return false;
      await repository.removeVerifications(taken.userId);
      return true;
    });
    if (!isVerified)
      throw new ApiError('bad_request', { errors: [{ path: 'token', message: translate(language, 'field.verification_token') }] });
  }

  /** Sends the link that verifies the account's address again. An address that is verified gets none. Throws `too_many_requests`. */
  async sendVerification(userId: string, language: Language): Promise<void> {
    const user = await authRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    if (user.emailVerifiedAt !== null) return;
    await this.deps.countVerification(userId);
    const token = await this.addVerification(this.deps.db, user);
    this.later(() => this.write(user.email, user.language ?? language, 'verify', { link: this.verificationLink(token) }));
  }

  /** How many accounts the settings name as staff that are none, since their address is not verified. */
  countUnverifiedStaff(): Promise<number> {
    return authRepository(this.deps.db).countUnverified(this.deps.rules.staffEmails);
  }

  async removeExpired(): Promise<void> {
    const repository = authRepository(this.deps.db);
    const now = new Date(this.deps.now());
    await Promise.all([
      repository.removeExpiredSessions(now),
      repository.removeExpiredResets(now),
      repository.removeExpiredVerifications(now),
      repository.removeExpiredTickets(now),
    ]);
  }

  /** Waits for the letters that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.letters);
  }

  private later(work: () => Promise<void>): void {
    const letter = work().catch(this.deps.onMailFailed);
    this.letters.add(letter);
    void letter.finally(() => this.letters.delete(letter));
  }

  private write(to: string, language: Language, letter: 'welcome' | 'verify' | 'reset', links: Record<string, string>): Promise<void> {
    return this.deps.mailer.send({
      to,
      subject: translate(language, `mail.${letter}.subject`),
      text: translate(language, `mail.${letter}.text`, links),
    });
  }

  private async addVerification(db: Db, { id, email }: UserRow): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.deps.now() + verificationMs);
    await authRepository(db).addVerification({ hash: hashOfToken(token), userId: id, email, expiresAt });
    return token;
  }

  private verificationLink(token: string): string {
    return `${this.deps.address()}/verify-email?token=${token}`;
  }

  /**
   * Asked at each request, so that a change of the settings or of the address counts at once: an address that the settings name and that is
   * verified, or the first account, on its own machine alone.
   */
  private isStaff(user: UserRow, isLocal: boolean): boolean {
    const { staffEmails, firstAccountIsStaff } = this.deps.rules;
    const isNamed = user.emailVerifiedAt !== null && staffEmails.includes(user.email);
    return isNamed || (user.isFirst && firstAccountIsStaff && isLocal);
  }

  private placeOf(address: string | null): string | null {
    return address === null ? null : this.deps.places.placeOf(address);
  }

  /** The one way to check the current password of a signed-in account. Throws `bad_request`, or `too_many_requests` after ten wrong ones. */
  private async checkCurrentPassword(user: UserRow, password: string, message: string): Promise<void> {
    const wrong = () => new ApiError('bad_request', { errors: [{ path: 'currentPassword', message }] });
    if (password === '') throw wrong();
    const charge = await this.deps.countPasswordTry(user.id);
    if (!(await this.deps.passwords.matches(user.passwordHash, password))) throw wrong();
    await charge.wasRight();
  }

  private async openSession(db: Db, row: UserRow, address: string | null): Promise<Session> {
    const repository = authRepository(db);
    const now = new Date(this.deps.now());
    const sessionId = v7();
    const refreshToken = this.refresh.first();
    await repository.addSession({ id: sessionId, userId: row.id, expiresAt: expiryFrom(now), placeHash: this.placeOf(address) });
    await repository.addToken({ hash: hashOfToken(refreshToken), sessionId });
    const user = userOf(row);
    return { accessToken: await this.access.sign(user, sessionId, now.getTime()), refreshToken, user };
  }
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + refreshTokenDays * dayMs);
}

function userOf({ id, email, name, language }: UserRow): User {
  return { id, email, name, language };
}

function profileOf(user: UserRow, isStaff: boolean): Profile {
  const { emailVerifiedAt, createdAt, updatedAt } = user;
  return {
    ...userOf(user),
    emailVerified: emailVerifiedAt !== null,
    isStaff,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
