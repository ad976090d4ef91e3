import { createTransport } from 'nodemailer';
import { createScrubber, type Scrubber } from '../egress/scrubber.ts';
import type { Mailer } from './mailer.ts';

const connectMs = 10_000;
const silenceMs = 20_000;
/** The token of a link in an email. */
const linkToken = /[\w-]{32,}/g;

/** Sends emails through the mail server of `SMTP_URL`. An error has what the server says, without password and links, which it may repeat. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: silenceMs });
  const address = new URL(url);
  const [user, password] = [decodeURIComponent(address.username), decodeURIComponent(address.password)];
  const sent = [password, Buffer.from(`\0${user}\0${password}`).toString('base64')];
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to, subject, text }).catch((error: unknown) => {
        throw withoutSecrets(error, createScrubber([...sent, ...(text.match(linkToken) ?? [])]));
      });
    },
    isOutbox: false,
    forget: async () => {},
    close: () => transport.close(),
  };
}

function withoutSecrets(error: unknown, scrubber: Scrubber): Error {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
  return Object.assign(new Error(scrubber.text(message)), code !== undefined && { code });
}
