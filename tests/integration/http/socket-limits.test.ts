import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { closeCode } from '../../support/close-code.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer({}, { ownProcess: 'The waits for its answers are measured.' });
const ann = setUpAccount(server);
const bob = setUpAccount(server);
/** Sockets of a third account, which are cut off in 10 to 20 seconds: the other tests run meanwhile. */
let late: Awaited<ReturnType<typeof openLate>>;

beforeAll(async () => {
  late = await openLate(await signUp(server.url));
});
afterAll(() => clearInterval(late?.pinging));

/** A socket, and the code with which the server closes it. */
async function open(account = ann) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/natsws?token=${account.accessToken}`, { perMessageDeflate: false });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, closed: closeCode(socket) };
}

const connectionOf = (socket: WebSocket) => (socket as unknown as { _socket: Socket })._socket;

/** Opens two sockets with unfinished messages, of which one pings too, and one that only pings. */
async function openLate(account: RunAccount) {
  const [unfinished, half, fine] = await Promise.all([open(account), open(account), open(account)]);
  unfinished.socket.send('{"type":', { fin: false });
  // The header of a frame that announces 100 more bytes.
  connectionOf(half.socket).write(Buffer.from([0x81, 0x80 + 100, 1, 2, 3, 4, 5]));
  const pinging = setInterval(() => {
    unfinished.socket.ping();
    fine.socket.ping();
  }, 500);
  const cutOff = Promise.all([isClosedWith(unfinished.closed, 40_000), isClosedWith(half.closed, 40_000)]);
  return { cutOff, fine, pinging };
}

/** Sends `perTurn` messages every 5 ms until the socket is closed, 20,000 at most. */
async function flood(socket: WebSocket, perTurn: number, send: () => void): Promise<void> {
  for (let sent = 0; sent < 20_000 && socket.readyState === WebSocket.OPEN; sent += perTurn) {
    for (let count = 0; count < perTurn; count += 1) send();
    // The socket's close is heard between two turns.
    await wait(5);
  }
}

const isClosedWith = async (closed: Promise<number>, withinMs: number) => Promise.race([closed, wait(withinMs).then(() => 'still open')]);

const floods: [string, (socket: WebSocket) => void][] = [
  ['tokens', (socket) => socket.send(JSON.stringify({ type: 'token', accessToken: ann.accessToken }))],
  ['since', (socket) => socket.send(JSON.stringify({ type: 'since', since: {} }))],
  ['questions for texts', (socket) => socket.send(JSON.stringify({ type: 'texts' }))],
  ['pings', (socket) => socket.ping()],
  ['pongs', (socket) => socket.pong()],
];

test.each(floods)('W7.08 a socket that sends ten thousand %s a second is closed with 1008, and others are served', async (_what, send) => {
  const longest = async (until: Promise<unknown>) => {
    const state = { over: false };
    void until.then(() => {
      state.over = true;
    });
    let most = 0;
    while (!state.over) {
      const begun = performance.now();
      expect((await bob.call('GET', '/project')).status).toBe(200);
      most = Math.max(most, performance.now() - begun);
    }
    return most;
  };
  // Half a second without load, to compare with.
  const before = await longest(wait(500));
  const { socket, closed } = await open();
  const flooding = flood(socket, 50, () => send(socket));
  const during = await longest(Promise.all([isClosedWith(closed, 15_000), flooding, wait(1_000)]));
  expect(await isClosedWith(closed, 1)).toBe(1008);
  // A message that blocked the server delayed others by 12 s.
  expect(during).toBeLessThan(6_000 + 3 * before);
});

test('W7.08 two hundred messages at once are within the limit', async () => {
  const { socket, closed } = await open();
  for (let count = 0; count < 190; count += 1) socket.send(JSON.stringify({ type: 'since', since: {} }));
  expect(await isClosedWith(closed, 1_000)).toBe('still open');
  socket.close();
  await closed;
});

test('W7.08 a message of 100 KB closes the socket with 1009', async () => {
  const { socket, closed } = await open();
  socket.send('x'.repeat(100_000));
  expect(await isClosedWith(closed, 10_000)).toBe(1009);
});

test('W7.08 a message of too many parts closes the socket with 1008', async () => {
  const { socket, closed } = await open();
  for (let count = 0; count < 1_025; count += 1) socket.send('x', { fin: false });
  expect(await isClosedWith(closed, 10_000)).toBe(1008);
});

/** Sends all pings in one piece, as they arrive at a server that was busy meanwhile. */
function pingAtOnce(socket: WebSocket, count: number): void {
  const connection = connectionOf(socket);
  connection.cork();
  for (let sent = 0; sent < count; sent += 1) socket.ping();
  connection.uncork();
}

test('W7.08 pings that arrive in one piece count like others: 190 are answered, 300 close the socket with 1008', async () => {
  const { socket, closed } = await open();
  let pongs = 0;
  socket.on('pong', () => {
    pongs += 1;
  });
  pingAtOnce(socket, 190);
  await expect.poll(() => pongs).toBe(190);
  socket.close();
  await closed;
  const flooder = await open();
  pingAtOnce(flooder.socket, 300);
  expect(await isClosedWith(flooder.closed, 10_000)).toBe(1008);
});

test.each(['/live', '/api/project', '/no-such-page'])(
  'W7.08 a socket asked for at %s, which has none, is refused before it is open',
  async (path) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`);
    const answered = new Promise<number | string>((resolve) => {
      socket.once('open', () => resolve('open'));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    });
    socket.on('error', () => {});
    expect(await answered).toBe(404);
    socket.terminate();
  },
);

test('W7.08 an unfinished message is cut off after ten seconds, also while pings arrive; a client that pings slowly stays', async () => {
  const { cutOff, fine } = late;
  expect(await cutOff).toEqual([1008, 1008]);
  expect(await isClosedWith(fine.closed, 1)).toBe('still open');
  fine.socket.close();
  await fine.closed;
});

test.each([
  ['text', false, 1007],
  ['binary', true, 1008],
])('G8.45 a %s frame that is not UTF-8 closes the socket', async (_kind, binary, code) => {
  const { socket, closed } = await open();
  socket.send(Buffer.from('7b2274797065223a227465787473222c2261223a22cef2227d', 'hex'), { binary });
  expect(await isClosedWith(closed, 10_000)).toBe(code);
});
