import { v7 } from 'uuid';
import {
  type Credentials,
  type Profile,
  type ProfileChange,
  type Registration,
  type Session,
  takeBackHours,
} from '../../../contract/account.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, SignedIn } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Charge } from '../../http/limits/rate-limits.ts';
import type { Db } from '../../platform/database/database.ts';
import { hashOfToken } from '../../platform/secrets/tokens.ts';
import { type AccountEmails, type AccountEmailsDeps, createAccountEmails } from './account-emails.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { checkPassword } from './password-rule.ts';
import { refreshTokenDays } from './refresh-tokens.ts';
import { AuthRepository, type UserRow } from './repository.ts';
import { isGone, isStaff, Sessions, type SessionsDeps, userOf } from './sessions.ts';

const dayMs = 86_400_000;

/** The origin of a sign-up. */
type Origin = { address: string | null; isLocal: boolean };
const unknownOrigin: Origin = { address: null, isLocal: false };

export type AuthDependencies = AccountEmailsDeps &
  SessionsDeps & {
    passwords: PasswordHashing;
    /** Creates the first data of a new account, in the account's transaction. */
    seed: (db: Db, userId: string, language: Language) => Promise<void>;
    /** Limits guesses at the current password of an account. Throws `too_many_requests`. */
    countPasswordAttempt: (userId: string) => Promise<Pick<Charge, 'wasRight'>>;
    /** Limits the emails that an account causes to addresses that may belong to another person. Throws `too_many_requests`. */
    countVerification: (userId: string) => Promise<unknown>;
  };

/** Accounts: sign-up, sign-in, profile, password and the verification of addresses. */
export class AuthService {
  private readonly deps: AuthDependencies;
  readonly sessions: Sessions;
  private readonly emails: AccountEmails;

  constructor(deps: AuthDependencies) {
    this.deps = deps;
    this.sessions = new Sessions(deps);
    this.emails = createAccountEmails(deps);
  }

  /** Signs a user up. Throws `registration_closed`, `password_weak` or `email_taken`. */
  async register(given: Registration, language: Language, origin: Origin = unknownOrigin): Promise<Session> {
    const { rules, db, passwords, seed } = this.deps;
    if (rules.registration === 'closed') throw new ApiError('registration_closed');
    checkPassword(given.password, given.email, language);
    const passwordHash = await passwords.hash(given.password);
    const { session, token } = await db.transaction(async (tx) => {
      const repository = new AuthRepository(tx);
      const isFirst = (await repository.isFirstAccount()) && rules.firstAccountIsStaff && origin.isLocal;
      const user = await repository.addUser({ id: v7(), email: given.email, name: given.name, passwordHash, isFirst, language });
      if (!user) throw new ApiError('email_taken');
      await seed(tx, user.id, language);
      return { session: await this.sessions.open(tx, user, origin.address), token: await this.emails.addVerification(tx, user) };
    });
    this.emails.sendWelcome(session.user, language, token);
    return session;
  }

  /** Signs a user in. Throws `invalid_credentials` after the same time for an unknown email and for a wrong password. */
  async login({ email, password }: Credentials, address: string | null = null): Promise<Session> {
    const user = await new AuthRepository(this.deps.db).userByEmail(email);
    const right = await this.deps.passwords.matches(user?.passwordHash ?? null, password);
    if (!user || !right || isGone(user, this.deps.now())) throw new ApiError('invalid_credentials');
    return this.deps.db.transaction(async (tx) => {
      // A password that was changed meanwhile opens no session.
      if (!(await new AuthRepository(tx).holdPassword(user.id, user.passwordHash))) throw new ApiError('invalid_credentials');
      return this.sessions.open(tx, user, address);
    });
  }

  async profile(userId: string, isLocal = false): Promise<Profile> {
    const user = await new AuthRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    return profileOf(user, { isStaff: isStaff(this.deps.rules, user, isLocal), isMailStored: this.emails.areStored });
  }

  /** Changes the profile. Throws `bad_request` for a new email without the password, `email_taken`, or `forbidden` for staff's emails. */
  async updateProfile(userId: string, change: ProfileChange, language: Language, isLocal = false): Promise<Profile> {
    const { db, rules } = this.deps;
    const user = await new AuthRepository(db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    const email = change.email !== undefined && change.email !== user.email ? change.email : undefined;
    if (email !== undefined) {
      await this.checkCurrentPassword(user, change.currentPassword ?? '', translate(language, 'field.current_password'));
      // An account cannot become staff by taking a staff member's unused address.
      if (rules.staffEmails.includes(email) && !isStaff(rules, user, isLocal)) throw new ApiError('forbidden');
      if (await new AuthRepository(db).otherUserHasEmail(email, userId)) throw new ApiError('email_taken');
      await this.deps.countVerification(userId);
    }
    const { updated, token } = await db
      .transaction(async (tx) => {
        const repository = new AuthRepository(tx);
        const updated = await repository.updateUser(userId, {
          ...(change.name !== undefined && { name: change.name }),
          ...(email !== undefined && { email, emailVerifiedAt: null }),
          ...(change.language !== undefined && { language: change.language }),
        });
        if (email === undefined || !updated) return { updated, token: null };
        // Links in emails to the old address become invalid.
        await repository.removeResets(userId);
        await repository.removeVerifications(userId);
        return { updated, token: await this.emails.addVerification(tx, updated) };
      })
      .catch((error) => {
        // The address was taken between the read and the write.
        if (error?.cause?.code === '23505') throw new ApiError('email_taken');
        throw error;
      });
    if (!updated) throw new ApiError('unauthorized');
    if (token !== null) this.emails.sendVerification(updated, updated.language ?? language, token);
    return profileOf(updated, { isStaff: isStaff(rules, updated, isLocal), isMailStored: this.emails.areStored });
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
    const user = await new AuthRepository(db).userById(id);
    if (!user) throw new ApiError('unauthorized');
    await this.checkCurrentPassword(user, currentPassword, translate(language, 'field.wrong_password'));
    checkPassword(newPassword, user.email, language, 'newPassword');
    const passwordHash = await passwords.hash(newPassword);
    const ended = await db.transaction(async (tx) => {
      const repository = new AuthRepository(tx);
      if (!(await repository.replacePassword(id, user.passwordHash, passwordHash))) throw new ApiError('conflict');
      await repository.removeResets(id);
      return repository.endOtherSessions(id, sessionId, new Date(this.deps.now()));
    });
    for (const session of ended) this.deps.onSessionEnded(session, id);
  }

  /**
   * Locks the account, ends its other sessions and writes to its address. Until the returned time it can be taken back. Throws
   * `bad_request` for a wrong password. G8.07
   */
  async beginDeletion({ id, sessionId }: SignedIn, password: string, language: Language): Promise<Date> {
    const user = await new AuthRepository(this.deps.db).userById(id);
    if (!user) throw new ApiError('unauthorized');
    await this.checkCurrentPassword(user, password, translate(language, 'field.wrong_password'));
    const now = this.deps.now();
    const { dueAt, ended } = await this.deps.db.transaction(async (tx) => {
      const repository = new AuthRepository(tx);
      const dueAt = await repository.setDeletion(id, user.passwordHash, new Date(now + takeBackHours * hourMs));
      if (!dueAt) throw new ApiError('conflict');
      await repository.removeResets(id);
      return { dueAt, ended: await repository.endOtherSessions(id, sessionId, new Date(now)) };
    });
    for (const session of ended) this.deps.onSessionEnded(session, id);
    this.emails.sendLeaving(user, language, dueAt);
    return dueAt;
  }

  /** Ends the deletion of an account. Throws `unauthorized` once its removal has begun. G8.07 */
  async takeBack(id: string): Promise<void> {
    if (!(await new AuthRepository(this.deps.db).endDeletion(id))) throw new ApiError('unauthorized');
  }

  /** Sets a new password and ends every session. Throws `bad_request` for an invalid or expired token, and `password_weak`. */
  async resetPassword({ token, newPassword }: { token: string; newPassword: string }, language: Language): Promise<void> {
    const { db, passwords } = this.deps;
    const now = new Date(this.deps.now());
    const spent = () => new ApiError('bad_request', { errors: [{ path: 'token', message: translate(language, 'field.reset_token') }] });
    const user = await new AuthRepository(db).userOfReset(hashOfToken(token), now);
    if (!user || isGone(user, now.getTime())) throw spent();
    checkPassword(newPassword, user.email, language, 'newPassword');
    const passwordHash = await passwords.hash(newPassword);
    const ended = await db.transaction(async (tx) => {
      const repository = new AuthRepository(tx);
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
      const repository = new AuthRepository(tx);
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
    const user = await new AuthRepository(this.deps.db).userById(userId);
    if (!user) throw new ApiError('unauthorized');
    if (user.emailVerifiedAt !== null) return;
    await this.deps.countVerification(userId);
    this.emails.sendVerification(user, user.language ?? language, await this.emails.addVerification(this.deps.db, user));
  }

  /** Counts the accounts that the settings name as staff and whose address is not verified. */
  countUnverifiedStaff(): Promise<number> {
    return new AuthRepository(this.deps.db).countUnverified(this.deps.rules.staffEmails);
  }

  /** Returns the account that emails about its runs go to; null for a removed one. */
  async emailOwner(
    userId: string,
  ): Promise<{ email: string; name: string; isVerified: boolean; language: Language | null; isLeaving: boolean } | null> {
    const user = await new AuthRepository(this.deps.db).userById(userId);
    if (!user) return null;
    const { email, name, language, emailVerifiedAt, deletionDueAt } = user;
    return { email, name, language, isVerified: emailVerifiedAt !== null, isLeaving: deletionDueAt !== null };
  }

  /** Sends the link to a new password; see `AccountEmails.sendReset`. */
  sendReset(email: string, language: Language): void {
    this.emails.sendReset(email, language);
  }

  async removeExpired(): Promise<void> {
    const repository = new AuthRepository(this.deps.db);
    const now = new Date(this.deps.now());
    await repository.removeExpiredSessions(now);
    await repository.removeExpiredResets(now);
    await repository.removeExpiredVerifications(now);
    await repository.removeExpiredTickets(now);
  }

  /** Removes refresh tokens that ended so long ago that a session of theirs would have expired, one batch. Returns whether there may be more. */
  removeOldTokens(): Promise<boolean> {
    return new AuthRepository(this.deps.db).removeOldTokens(new Date(this.deps.now() - refreshTokenDays * dayMs));
  }

  /** Waits until the pending emails are sent. */
  close(): Promise<void> {
    return this.emails.close();
  }

  /** Checks the current password of a signed-in account. Throws `bad_request`, or `too_many_requests` after ten wrong ones. */
  private async checkCurrentPassword(user: UserRow, password: string, message: string): Promise<void> {
    const wrong = () => new ApiError('bad_request', { errors: [{ path: 'currentPassword', message }] });
    if (password === '') throw wrong();
    const charge = await this.deps.countPasswordAttempt(user.id);
    if (!(await this.deps.passwords.matches(user.passwordHash, password))) throw wrong();
    await charge.wasRight();
  }
}

const hourMs = 3_600_000;

function profileOf(user: UserRow, { isStaff, isMailStored }: { isStaff: boolean; isMailStored: boolean }): Profile {
  const { emailVerifiedAt, createdAt, updatedAt } = user;
  return {
    ...userOf(user),
    emailVerified: emailVerifiedAt !== null,
    isStaff,
    ...(isMailStored && { isMailStored }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
