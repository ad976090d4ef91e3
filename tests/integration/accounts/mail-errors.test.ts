import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smtpMailer } from '../../../server/platform/mail/smtp-mailer.ts';

const password = 'password/of-the-mail';
const link = 'https://artel.test/reset/Yt3kq8ZbV1mN0pQr5sXw7uAc2dEf4gHi6jKl9oMnBvC';
let server: net.Server;
let port: number;

/** Refuses a message, and repeats everything that it was sent. */
beforeAll(async () => {
  server = net.createServer((socket) => {
    let isText = false;
    let sent = '';
    const login = Buffer.from(`\0artel\0${password}`).toString('base64');
    socket.on('error', () => {});
    socket.write('220 mail.test\r\n');
    socket.on('data', (data) => {
      const line = data.toString();
      if (isText) {
        sent += line;
        if (!sent.endsWith('\r\n.\r\n')) return;
        const repeated =
          sent
            .replace(/=\r\n/g, '')
            .split('\r\n')
            .find((one) => one.includes('/reset/')) ?? '';
        socket.write(`554 Refused ${password} ${login} ${repeated}\r\n`);
        isText = false;
      } else if (line.startsWith('EHLO')) socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n');
      else if (line.startsWith('AUTH')) socket.write('235 Yes\r\n');
      else if (line.startsWith('DATA')) {
        isText = true;
        socket.write('354 Go on\r\n');
      } else socket.write('250 Yes\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as net.AddressInfo).port;
});
afterAll(() => server.close());

test('G8.16 the error of a mail server that repeats password and link has neither', async () => {
  const mailer = smtpMailer(`smtp://artel:${encodeURIComponent(password)}@127.0.0.1:${port}`, 'Artel <a@artel.test>');
  const error = await mailer
    .send({ to: 'ann@example.org', account: '01a1fab3-094b-73bf-a485-a91fccff0c5d', subject: 'Reset', text: link })
    .then(
      () => null,
      (failed: Error) => failed,
    );
  mailer.close();
  expect(error?.message).toContain('554 Refused *** *** https://artel.test/reset/***');
  expect(JSON.stringify([error, error?.stack])).not.toMatch(/of-the-mail|Yt3kq8ZbV1mN0pQr/);
});
