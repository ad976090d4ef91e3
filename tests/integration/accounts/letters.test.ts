import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callerOf, signUp } from '../../support/call-api.ts';
import { lettersTo, readLetter } from '../../support/read-outbox.ts';
import { setUp, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';

const server = setUpServer({ PUBLIC_URL: 'https://artel.example' });
const stranger = setUp(async () => callerOf(server.url));

const oldPassword = 'a quiet long phrase';
const newPassword = 'another quiet phrase';
const english = { 'accept-language': 'en' };

async function tokenFor(email: string, letters: number, language = 'ru'): Promise<string> {
  await stranger.ask('auth.forgotPassword', { body: { email }, headers: { 'accept-language': language } });
  const letter = (await lettersTo(server.dataDir, email, letters)).at(-1);
  return (
    /^(?:Задайте его в течение 30 минут|Set a new one within 30 minutes):\nhttps:\/\/artel\.example\/reset-password\?token=([\w-]{43})$/m.exec(
      letter?.text ?? '',
    )?.[1] ?? ''
  );
}

test('P7.02 a new account is welcomed by a letter in its language', async () => {
  const [russian, briton] = [await signUp(server.url), await signUp(server.url, { language: 'en' })];
  expect(await lettersTo(server.dataDir, russian.email, 1)).toEqual([
    { to: russian.email, subject: 'Добро пожаловать в Артель', text: expect.stringContaining('Открыть Артель: https://artel.example\n') },
  ]);
  expect(await lettersTo(server.dataDir, briton.email, 1)).toEqual([
    { to: briton.email, subject: 'Welcome to Artel', text: expect.stringContaining('Open Artel: https://artel.example\n') },
  ]);
});

test('R01.01 an email is written in the language of its account, not of the request', async () => {
  const briton = await signUp(server.url, { language: 'en' });
  await tokenFor(briton.email, 2, 'ru');
  expect((await lettersTo(server.dataDir, briton.email, 2)).at(-1)?.subject).toMatch(/^[\x20-\x7e]+$/);
});

test('P7.02 a forgotten password is reset by the link of an email, once, and every session ends', async () => {
  const member = await signUp(server.url);
  const token = await tokenFor(member.email, 2);
  await stranger.ask('auth.resetPassword', { body: { token, newPassword } });
  expect(await member.refused('auth.profile')).toMatchObject({ status: 401 });
  expect(await stranger.refused('auth.login', { body: { email: member.email, password: oldPassword } })).toMatchObject({ status: 401 });
  expect(await stranger.ask('auth.login', { body: { email: member.email, password: newPassword } })).toMatchObject({
    user: { email: member.email },
  });
  const again = await stranger.refused('auth.resetPassword', { body: { token, newPassword: 'yet another phrase' }, headers: english });
  const message = 'This link no longer works. Request a new one.';
  expect(again).toMatchObject({ status: 400, code: 'bad_request', errors: [{ path: 'token', message }] });
});

test('R12.01 a weak password does not use up the link, and a used link invalidates the older ones', async () => {
  const { email } = await signUp(server.url);
  const [first, second] = [await tokenFor(email, 2), await tokenFor(email, 3, 'en')];
  expect(first).not.toBe('');
  expect(second).not.toBe(first);
  const weak = await stranger.refused('auth.resetPassword', { body: { token: second, newPassword: 'password1234' } });
  expect(weak).toMatchObject({ status: 422, code: 'password_weak', errors: [{ path: 'newPassword' }] });
  await stranger.ask('auth.resetPassword', { body: { token: second, newPassword } });
  expect(await stranger.refused('auth.resetPassword', { body: { token: first, newPassword } })).toMatchObject({ status: 400 });
});

test('P7.02 two concurrent uses of one link set the password once', async () => {
  const { email } = await signUp(server.url);
  const token = await tokenFor(email, 2);
  const answers = await Promise.all([1, 2, 3].map(() => stranger.send('auth.resetPassword', { body: { token, newPassword } })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400]);
});

test('P7.02 an unknown email gets the same answer as a known one, and no email is sent', async () => {
  const { email } = await signUp(server.url);
  const answers = await Promise.all(
    [email, 'unknown@example.com'].map(async (to) => {
      const answer = await stranger.send('auth.forgotPassword', { body: { email: to } });
      return [answer.status, await answer.text()];
    }),
  );
  expect(answers).toEqual([
    [202, ''],
    [202, ''],
  ]);
  await lettersTo(server.dataDir, email, 2);
  await lettersTo(server.dataDir, 'unknown@example.com', 0);
  expect(await stranger.refused('auth.forgotPassword', { body: { email: 'unknown' } })).toMatchObject({
    status: 400,
    errors: [{ path: 'email' }],
  });
});

test('P7.02 a changed password and a changed email make the links of earlier letters useless', async () => {
  const member = await signUp(server.url);
  const first = await tokenFor(member.email, 2);
  await member.ask('auth.changePassword', { body: { currentPassword: oldPassword, newPassword } });
  expect(await stranger.refused('auth.resetPassword', { body: { token: first, newPassword } })).toMatchObject({ status: 400 });
  const second = await tokenFor(member.email, 3);
  await member.ask('auth.updateProfile', { body: { email: `new-${member.email}`, currentPassword: newPassword } });
  expect(await stranger.refused('auth.resetPassword', { body: { token: second, newPassword } })).toMatchObject({ status: 400 });
});

test('P7.02 emails are stored where only the server may read them, and no link is logged', async () => {
  const { email } = await signUp(server.url);
  const token = await tokenFor(email, 2);
  expect(token).not.toBe('');
  const outbox = join(server.dataDir, 'outbox');
  // Letters of earlier tests may still be written, under another extension.
  const letters = (await readdir(outbox)).filter((name) => name.endsWith('.eml'));
  const modes = await Promise.all(letters.map(async (name) => (await stat(join(outbox, name))).mode & 0o777));
  expect(new Set(modes)).toEqual(new Set([0o600]));
  expect((await stat(outbox)).mode & 0o777).toBe(0o700);
  expect(server.logs()).not.toContain(token);
});

test('P7.02 with SMTP_URL letters go to the mail server, and none is left behind', async () => {
  const taken: string[] = [];
  const mailServer = createServer((socket) => {
    let data: string | null = null;
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split(/(?<=\r\n)/)) {
        if (data === null) {
          if (/^DATA/i.test(line)) data = '';
          socket.write(data === null ? '250 fine\r\n' : '354 go on\r\n');
        } else if (line === '.\r\n') {
          taken.push(data);
          data = null;
          socket.write('250 taken\r\n');
        } else data += line;
      }
    });
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port } = mailServer.address() as { port: number };
  const other = await startAnother({ env: { ARTEL_CLIENT: 'off', SMTP_URL: `smtp://127.0.0.1:${port}` } });
  try {
    const { email } = await signUp(other.url, { language: 'en' });
    await expect.poll(() => taken.length).toBe(1);
    expect(readLetter(taken[0] ?? '')).toMatchObject({ to: email, subject: 'Welcome to Artel' });
    expect(readLetter(taken[0] ?? '').text).toContain(other.url.replace('127.0.0.1', 'localhost'));
    expect(existsSync(join(other.dataDir, 'outbox'))).toBe(false);
  } finally {
    await other.stop();
    mailServer.close();
  }
});
