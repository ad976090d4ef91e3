/** A letter in plain text. */
export type Mail = { to: string; subject: string; text: string };

/** Sends letters, by whatever way the operator has chosen. */
export type Mailer = {
  /** Rejects when the letter could not be handed over. */
  send: (mail: Mail) => Promise<void>;
  close: () => void;
};

/** Whom letters are from: nobody reads the answers. `host` is where the server is reached. */
export function senderAt(host: string): string {
  return `Artel <no-reply@${host.includes(':') ? 'localhost' : host}>`;
}
