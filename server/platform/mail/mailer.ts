/** An email in plain text. `account`: the id of the account that it is about. */
export type Mail = { to: string; account: string; subject: string; text: string };

/** Sends emails, in the way that the operator has configured. */
export type Mailer = {
  /** Rejects when the mail server did not accept the email. */
  send: (mail: Mail) => Promise<void>;
  /** Whether emails are only stored in the outbox, because there is no mail server. */
  isOutbox: boolean;
  /** Removes the stored emails about an account. Emails that a mail server has taken are not stored here. */
  forget: (account: string) => Promise<void>;
  close: () => void;
};

/** The sender of emails, whose replies are not read. `host` is the server's public address. */
export function senderAt(host: string): string {
  return `Artel <no-reply@${host.includes(':') ? 'localhost' : host}>`;
}
