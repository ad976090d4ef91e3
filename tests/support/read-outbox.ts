import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

type Letter = { to: string; subject: string; text: string };

/** Parses an email as a mail program does. */
export function readLetter(eml: string): Letter {
  const [head = '', ...body] = eml.split('\r\n\r\n');
  const field = (name: string) => new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'm').exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? '';
  const words = field('Subject').replace(/\?= =\?/g, '?==?');
  const subject = words.replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString());
  return { to: field('To'), subject, text: textOf(body.join('\r\n\r\n'), field('Content-Transfer-Encoding')) };
}

function textOf(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  const lines = body.replace(/\r\n/g, '\n');
  if (encoding !== 'quoted-printable') return lines;
  const bytes = lines.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

const longestWaitMs = 40_000;

/** The emails to an address in a server's outbox, oldest first, once there are as many as expected. */
export async function lettersTo(dataDir: string, to: string, many: number): Promise<Letter[]> {
  const outbox = join(dataDir, 'outbox');
  const read = async () => {
    // An unfinished file has another extension.
    const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
    const letters = await Promise.all(names.map(async (name) => readLetter(await readFile(join(outbox, name), 'utf8'))));
    return letters.filter((letter) => letter.to === to);
  };
  const deadline = Date.now() + longestWaitMs;
  while (Date.now() < deadline) {
    const letters = await read();
    if (letters.length === many) return letters;
    await after(20);
  }
  throw new Error(`${(await read()).length} letters to ${to} instead of ${many}`);
}
