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
import { hashOfToken, newToken } from '../../platform/secrets/tokens.ts';
import { makeAccessTokens } from './access-tokens.ts';
import type { ClientRecognition } from './client-recognition.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { checkPassword } from './password-rule.ts';
import { judgeTokenUse, makeRefreshTokens, refreshTokenDays } from './refresh-tokens.ts';
import { authRepository, type UserRow, userOfSession } from './repository.ts';

export type AuthRules = {
  registration: 'open' | 'closed';
  staffEmails: readonly string[];
  /** Whether the first account becomes staff: only if the settings admit this machine only, and only for its requests. */
  firstAccountIsStaff: boolean;
};

/** The origin of a sign-up. */
export type Origin = { address: string | null; isLocal: boolean };
const unknownOrigin: Origin = { address: null, isLocal: false };

export type AuthDependencies = {
  db: Db;
  secret: SecretKey;
  passwords: PasswordHashing;
  rules: AuthRules;
  /** Creates the first data of a new account, in the account's transaction. */
  seed: (db: Db, userId: string, language: Language) => Promise<void>;
  /** Called after a session has ended, so that its open connections can be closed. */
  onSessionEnded: (sessionId: string, userId: string) => void;
  places: Pick<ClientRecognition, 'placeOf'>;
  /** Limits guesses at the current password of an account. Throws `too_many_requests`. */
  countPasswordAttempt: (userId: string) => Promise<Charge>;
  /** Limits the emails that an account causes to addresses that may belong to another person. Throws `too_many_requests`. */
  countVerification: (userId: string) => Promise<unknown>;
  mailer: Pick<Mailer, 'send'>;
  /** The server's public URL without a slash at the end: links in emails begin with it. */
  address: () => string;
  /** Called when an email could not be sent. */
  onMailFailed: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
};

const dayMs = 86_400_000;
/** How long the link to a new password is valid (ms). */
const resetMs = 30 * 60_000;
/** How long the link that verifies an address is valid (ms). */
const verificationMs = dayMs;

/** Accounts, sign-in, and the sessions of all tokens. */
export class AuthService {
  private readonly deps: AuthDependencies;
  private readonly accessTokens;
  private readonly refreshTokens;
  private readonly userOfSession;
  private readonly emails = new Set<Promise<void>>();

  constructor(deps: AuthDependencies) {
    this.deps = deps;
    this.accessTokens = makeAccessTokens(deps.secret);
    this.refreshTokens = makeRefreshTokens(deps.secret);
    this.userOfSession = userOfSession(deps.db);
  }

  /** Signs a user up. Throws `registration_closed`, `password_weak` or `email_taken`. */
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
    this.sendInBackground(() => this.sendEmail(session.user.email, language, 'welcome', links));
    return session;
  }

  /** Signs a user in. Throws `invalid_credentials` after the same time for an unknown email and for a wrong password. */
  async login({ email, password }: Credentials, address: string | null = null): Promise<Session> {
    const user = await authRepository(this.deps.db).userByEmail(email);
    const right = await this.deps.passwords.matches(user?.passwordHash ?? null, password);
    if (!user || !right) throw new ApiError('invalid_credentials');
    return this.deps.db.transaction(async (tx) => {
      // A password that was changed meanwhile opens no session.
      if (!(await authRepository(tx).holdPassword(user.id, user.passwordHash))) throw new ApiError('invalid_credentials');
      return this.openSession(tx, user, address);
    });
  }

  /**
   * Exchanges a refresh token for a new pair. A use that shows a second copy of the token ends the session
   * (`judgeTokenUse`). Throws `unauthorized`.
   */
  async refresh(token: string, address: string | null = null): Promise<Refreshed> {
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
    const repository = authRepository(this.deps.db);
    const found = await repository.tokenByHash(hashOfToken(token));
    const userId = found && (await repository.endSession(found.sessionId, new Date(this.deps.now())));
    if (found && userId !== null) this.deps.onSessionEnded(found.sessionId, userId);
  }

  /** Returns the account of an access token; `isLocal` can make the first account staff. Throws `token_expired` or `unauthorized`. */
  async authenticate(accessToken: string, isLocal = false): Promise<SignedIn> {
    const now = this.deps.now();
    const { userId, sessionId, goodUntil } = await this.accessTokens.read(accessToken, now);
    const user = await this.userOfSession(sessionId, userId, new Date(now));
    if (!user) throw new ApiError('unauthorized');
    return { ...userOf(user), sessionId, tokenGoodUntil: goodUntil, isStaff: this.isStaff(user, isLocal) };
  }

  /** Creates a ticket that opens one WebSocket for this session, once and within `socketTicketSeconds`. */
  async issueTicket({ id, sessionId, tokenGoodUntil }: Pick<SignedIn, 'id' | 'sessionId' | 'tokenGoodUntil'>): Promise<SocketTicket> {
    const ticket = newToken();
    await authRepository(this.deps.db).addTicket({
      ...{ hash: hashOfToken(ticket), sessionId, userId: id },
      tokenGoodUntil: new Date(tokenGoodUntil),
      expiresAt: new Date(this.deps.now() + socketTicketSeconds * 1_000),
    });
    return { ticket, expiresInSeconds: socketTicketSeconds };
  }

  /** Returns the account of a ticket and spends it. Throws `unauthorized` for an invalid or expired ticket, or an ended session. */
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

  /** Returns those of these sessions that are open. */
  async openSessions(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await authRepository(this.deps.db).openSessions(ids, new Date(this.deps.now())));
  }

  async profile(userId: string, isLocal = false): Promise<Profile> {
    const user = await authRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    return profileOf(user, this.isStaff(user, isLocal));
  }

  /** Changes the profile. Throws `bad_request` for a new email without the password, `email_taken`, or `forbidden` for staff's emails. */
  async updateProfile(userId: string, change: ProfileChange, language: Language, isLocal = false): Promise<Profile> {
    const { db, rules } = this.deps;
    const user = await authRepository(db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    const email = change.email !== undefined && change.email !== user.email ? change.email : undefined;
    if (email !== undefined) {
      await this.checkCurrentPassword(user, change.currentPassword ?? '', translate(language, 'field.current_password'));
      // An account cannot become staff by taking a staff member's unused address.
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
        // Links in emails to the old address become invalid.
        await repository.removeResets(userId);
        await repository.removeVerifications(userId);
        return { updated, token: await this.addVerification(tx, updated) };
      })
      .catch((error) => {
        // The address was taken between the read and the write.
        if (error?.cause?.code === '23505') throw new ApiError('email_taken');
        throw error;
      });
    if (!updated) throw new ApiError('unauthorized');
    if (token !== null)
      this.sendInBackground(() =>
        this.sendEmail(updated.email, updated.language ?? language, 'verify', { link: this.verificationLink(token) }),
      );
    return profileOf(updated, this.isStaff(updated, isLocal));
  }

  /**
   * Changes the password and ends all other sessions. Throws `bad_request` for a wrong current password, and
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
   * Sends an email with a link to a new password, if the email is known. It is sent after the response, so that the response
   * time does not reveal whether the email is known.
   */
  sendReset(email: string, language: Language): void {
    this.sendInBackground(async () => {
      const repository = authRepository(this.deps.db);
      const user = await repository.userByEmail(email);
      if (!user) return;
      const token = newToken();
      await repository.addReset({ hash: hashOfToken(token), userId: user.id, expiresAt: new Date(this.deps.now() + resetMs) });
      await this.sendEmail(email, user.language ?? language, 'reset', { link: `${this.deps.address()}/reset-password?token=${token}` });
    });
  }

  /** Sets a new password and ends every session. Throws `bad_request` for an invalid or expired token, and `password_weak`. */
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
      // The link came in an email to this address.
      await repository.noteVerified(user.id, user.email, now);
      return repository.endOtherSessions(user.id, null, now);
    });
    for (const session of ended) this.deps.onSessionEnded(session, user.id);
  }

  /** Verifies the address that the token was sent to. Throws `bad_request` for an invalid or expired token. */
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

  /** Sends the link that verifies the account's address again, unless it is verified. Throws `too_many_requests`. */
  async sendVerification(userId: string, language: Language): Promise<void> {
    const user = await authRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    if (user.emailVerifiedAt !== null) return;
    await this.deps.countVerification(userId);
    const token = await this.addVerification(this.deps.db, user);
    this.sendInBackground(() => this.sendEmail(user.email, user.language ?? language, 'verify', { link: this.verificationLink(token) }));
  }

  /** Counts the accounts that the settings name as staff and whose address is not verified. */
  countUnverifiedStaff(): Promise<number> {
    return authRepository(this.deps.db).countUnverified(this.deps.rules.staffEmails);
  }

  /** Returns the account that emails about its runs go to; null for a removed one. */
  async emailOwner(userId: string): Promise<{ email: string; name: string; isVerified: boolean; language: Language | null } | null> {
    const user = await authRepository(this.deps.db).userById(userId);
    return user && { email: user.email, name: user.name, isVerified: user.emailVerifiedAt !== null, language: user.language };
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

  /** Waits until the pending emails are sent. */
  async close(): Promise<void> {
    await Promise.all(this.emails);
  }

  private sendInBackground(work: () => Promise<void>): void {
    const email = work().catch(this.deps.onMailFailed);
    this.emails.add(email);
    void email.finally(() => this.emails.delete(email));
  }

  private sendEmail(
    to: string,
    language: Language,
    template: 'welcome' | 'verify' | 'reset',
    links: Record<string, string>,
  ): Promise<void> {
    return this.deps.mailer.send({
      to,
      subject: translate(language, `mail.${template}.subject`),
      text: translate(language, `mail.${template}.text`, links),
    });
  }

  private async addVerification(db: Db, { id, email }: UserRow): Promise<string> {
    const token = newToken();
    const expiresAt = new Date(this.deps.now() + verificationMs);
    await authRepository(db).addVerification({ hash: hashOfToken(token), userId: id, email, expiresAt });
    return token;
  }

  private verificationLink(token: string): string {
    return `${this.deps.address()}/verify-email?token=${token}`;
  }

  /**
   * Whether the account is staff. Computed at each request, so that a change of settings or address applies at once: its verified address
   * is in the settings, or it is the first account on its own machine.
   */
  private isStaff(user: UserRow, isLocal: boolean): boolean {
    const { staffEmails, firstAccountIsStaff } = this.deps.rules;
    const isNamed = user.emailVerifiedAt !== null && staffEmails.includes(user.email);
    return isNamed || (user.isFirst && firstAccountIsStaff && isLocal);
  }

  private placeOf(address: string | null): string | null {
    return address === null ? null : this.deps.places.placeOf(address);
  }

  /** Checks the current password of a signed-in account. Throws `bad_request`, or `too_many_requests` after ten wrong ones. */
  private async checkCurrentPassword(user: UserRow, password: string, message: string): Promise<void> {
    const wrong = () => new ApiError('bad_request', { errors: [{ path: 'currentPassword', message }] });
    if (password === '') throw wrong();
    const charge = await this.deps.countPasswordAttempt(user.id);
    if (!(await this.deps.passwords.matches(user.passwordHash, password))) throw wrong();
    await charge.wasRight();
  }

  private async openSession(db: Db, row: UserRow, address: string | null): Promise<Session> {
    const repository = authRepository(db);
    const now = new Date(this.deps.now());
    const sessionId = v7();
    const refreshToken = this.refreshTokens.first();
    await repository.addSession({ id: sessionId, userId: row.id, expiresAt: expiryFrom(now), placeHash: this.placeOf(address) });
    await repository.addToken({ hash: hashOfToken(refreshToken), sessionId });
    const user = userOf(row);
    return { accessToken: await this.accessTokens.sign(user, sessionId, now.getTime()), refreshToken, user };
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
