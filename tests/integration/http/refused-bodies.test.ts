import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUp, setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer();
const ann = setUp(() => signUp(server.url));
const bodyBytes = 12 * 1024 * 1024;

/** Sends the head of a call with a body that is too long, and the first bytes of that body. */
function sendPart(bytes: number): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST /api/project HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`);
  socket.write(`Authorization: Bearer ${ann.accessToken}\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes, ' '));
  return socket;
}

/** Resolves with what has come when it contains a text. */
async function received(socket: Socket, text: string): Promise<string> {
  let come = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    come += String(chunk);
    if (come.includes(text)) return come;
  }
  throw new Error(`The connection ended after: ${come}`);
}

test('R19.01 the rest of a refused body is taken while other refused senders of the account stand still, and its connection goes on', async () => {
  const still = Array.from({ length: 3 }, () => sendPart(400 * 1024));
  for (const socket of still) expect(await received(socket, '"too_large"')).toMatch(/^HTTP\/1.1 413 /);
  const whole = sendPart(bodyBytes);
  expect(await received(whole, '"too_large"')).toMatch(/^HTTP\/1.1 413 /);
  whole.write('GET /api/nothing-here HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await received(whole, '"code"')).toMatch(/^HTTP\/1.1 404 /);
  for (const socket of [...still, whole]) {
    socket.destroy();
    await once(socket, 'close');
  }
});
