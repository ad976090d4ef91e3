import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { writeWholeFile } from '../files/write-whole-file.ts';
import type { Mailer } from './mailer.ts';

/** The header of a stored email that names its account. */
const accountHeader = 'X-Artel-Account';

/**
 * Stores emails as `.eml` files in a folder that only the server's account may read, since they contain links that open accounts. The file
 * names sort in the order of the calls, also within one millisecond.
 */
export function outboxMailer(folder: string, from: string, now: () => number): Mailer {
  return {
    send: async ({ to, account, subject, text }) => {
      // Loaded for the first email: few servers send one soon after their start.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const name = `${new Date(now()).toISOString().replace(/[:.]/g, '-')}-${v7()}.eml`;
      const { message } = await transport.sendMail({ from, to, subject, text, headers: { [accountHeader]: account } });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWholeFile(join(folder, name), message as Buffer, { replace: false });
    },
    isOutbox: true,
    forget: async (account) => {
      const ofAccount = `${accountHeader}: ${account}`.toLowerCase();
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name);
        const [head = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\r\n\r\n');
        if (head.split('\r\n').some((line) => line.toLowerCase() === ofAccount)) await rm(file, { force: true });
      }
    },
    close: () => {},
  };
}
