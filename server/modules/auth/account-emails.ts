import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { hashOfToken, newToken } from '../../platform/secrets/tokens.ts';
import { AuthRepository, type UserRow } from './repository.ts';

export type AccountEmailsDeps = {
  db: Db;
  mailer: Pick<Mailer, 'send'> & Partial<Pick<Mailer, 'isOutbox'>>;
  /** The server's public URL without a slash at the end: links in emails begin with it. */
  address: () => string;
  /** Called when an email could not be sent. */
  onMailFailed: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** The account that an email goes to. */
type Addressee = Pick<UserRow, 'id' | 'email'>;

/** How long the link to a new password is valid (ms). */
const resetMs = 30 * 60_000;
/** How long the link that verifies an address is valid (ms). */
const verificationMs = 86_400_000;

/** The emails to accounts, with the tokens of their links. All are sent in the background. */
export function createAccountEmails({ db, mailer, address, onMailFailed, now }: AccountEmailsDeps) {
  const pending = new Set<Promise<void>>();

  const sendInBackground = (work: () => Promise<void>): void => {
    const email = work().catch(onMailFailed);
    pending.add(email);
    void email.finally(() => pending.delete(email));
  };
  const send = (
    { id, email }: Addressee,
    language: Language,
    template: 'welcome' | 'verify' | 'reset' | 'leaving',
    params: Record<string, string>,
  ): Promise<void> =>
    mailer.send({
      to: email,
      account: id,
      subject: translate(language, `mail.${template}.subject`),
      text: translate(language, `mail.${template}.text`, params),
    });
  const verificationLink = (token: string) => `${address()}/verify-email?token=${token}`;

  return {
    /** Whether letters only lie in the outbox of this server. */
    areStored: mailer.isOutbox === true,

    /** Stores a new token that verifies the account's address. */
    async addVerification(tx: Db, { id, email }: UserRow): Promise<string> {
      const token = newToken();
      const expiresAt = new Date(now() + verificationMs);
      await new AuthRepository(tx).addVerification({ hash: hashOfToken(token), userId: id, email, expiresAt });
      return token;
    },

    sendWelcome(to: Addressee, language: Language, verification: string): void {
      sendInBackground(() => send(to, language, 'welcome', { link: address(), verify: verificationLink(verification) }));
    },

    sendVerification(to: Addressee, language: Language, verification: string): void {
      sendInBackground(() => send(to, language, 'verify', { link: verificationLink(verification) }));
    },

    /** Tells the owner that the account is being deleted, and until when it can be taken back: another person may know the password. */
    sendLeaving(user: UserRow, language: Language, dueAt: Date): void {
      const spoken = user.language ?? language;
      const until = new Intl.DateTimeFormat(spoken, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(dueAt);
      sendInBackground(() => send(user, spoken, 'leaving', { link: address(), until: `${until} UTC` }));
    },

    /**
     * Sends an email with a link to a new password, if the email is known. It is sent after the response, so that the response
     * time does not reveal whether the email is known.
     */
    sendReset(email: string, language: Language): void {
      sendInBackground(async () => {
        const repository = new AuthRepository(db);
        const user = await repository.userByEmail(email);
        if (!user) return;
        const token = newToken();
        await repository.addReset({ hash: hashOfToken(token), userId: user.id, expiresAt: new Date(now() + resetMs) });
        await send(user, user.language ?? language, 'reset', { link: `${address()}/reset-password?token=${token}` });
      });
    },

    /** Waits until the pending emails are sent. */
    async close(): Promise<void> {
      await Promise.all(pending);
    },
  };
}

export type AccountEmails = ReturnType<typeof createAccountEmails>;
