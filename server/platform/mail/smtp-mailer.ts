import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

const connectMs = 10_000;
const silenceMs = 20_000;

/** Sends emails through the mail server of `SMTP_URL`. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: silenceMs });
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to, subject, text });
    },
    forget: async () => {},
    close: () => transport.close(),
  };
}
