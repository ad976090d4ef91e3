import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkToDatabase } from '../support/database/database-link.ts';
import { openTestDatabase } from '../support/open-test-database.ts';
import { signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { timesSlower } from '../support/times-slower.ts';

const tooLongMs = 10_000;
let models: ModelServer;
const leftovers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  models = await startModelServer();
  leftovers.push(models.close);
});
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

async function serve(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ...env } });
  leftovers.push(server.stop);
  return server;
}

/** Sends raw text to the server and then neither writes nor reads. */
async function hangOn(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  leftovers.push(async () => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.pause();
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}

/** A mail server that accepts connections and never answers. `connections` counts them. */
async function silentMail(): Promise<{ url: string; connections: () => number }> {
  const server: Server = createServer();
  const sockets: Socket[] = [];
  server.on('connection', (socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  leftovers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, connections: () => sockets.length };
}

async function endBySignal(server: TestServer): Promise<{ code: number | null; ms: number }> {
  const asked = performance.now();
  const code = await server.kill('SIGTERM');
  return { code, ms: performance.now() - asked };
}

test('R10.01 a server ends within ten seconds of SIGTERM although models, mail and clients hang, and its runs continue at the next start', async () => {
  const mail = await silentMail();
  const server = await serve({ SMTP_URL: mail.url });
  const ann = await signUp(server.url);
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant'), 'Outlive the server');
  await models.call(1);

  const heads = `host: localhost\r\nauthorization: Bearer ${ann.accessToken}\r\ncontent-type: application/json`;
  const nodes = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [
      `n${i}`,
      { id: `n${i}`, type: 'start', title: 'x', description: 'y'.repeat(4_000), x: 0, y: 0 },
    ]),
  );
  expect((await ann.call('PUT', '/project/default/canvas', { baseVersion: 1, nodes, connections: {} })).status).toBe(200);
  await hangOn(server.url, `POST /api/Pipeline HTTP/1.1\r\n${heads}\r\ncontent-length: 1000\r\n\r\n{"name":`);
  await hangOn(server.url, `GET /api/project/default/canvas HTTP/1.1\r\n${heads}\r\n\r\n`);
  const key = randomBytes(16).toString('base64');
  const upgrade = `connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}`;
  await hangOn(server.url, `GET /api/natsws?token=${ann.accessToken} HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\n\r\n`);
  const socket = await ann.socket();
  await socket.until((message) => message.type === 'connected');
  // The email of a new account: the mail server is given up after some seconds, and this one is still waited for.
  const before = mail.connections();
  await signUp(server.url);
  await expect.poll(mail.connections).toBeGreaterThan(before);

  const { code, ms } = await endBySignal(server);
  expect(await socket.closed).toBe(1001);
  expect({ code, soon: ms < tooLongMs }).toEqual({ code: 0, soon: true });
  expect(server.logs()).toContain('Closing emails took too long and was left');
  await models.aborted(1);

  models.answer({ kind: 'text', text: 'Done elsewhere' });
  const next = await server.restart();
  leftovers.push(next.stop);
  expect(await ann.until(run.id, ({ status }) => status === 'completed')).toMatchObject({ result: 'Done elsewhere' });
});

test('R10.01 a running request is answered before the server ends, and new ones are refused', async () => {
  const database = await openTestDatabase();
  leftovers.push(database.remove);
  const server = await serve({ DATABASE_URL: database.connectionString, ARTEL_SECRET_KEY: randomBytes(32).toString('hex') });
  const ann = await signUp(server.url);
  const holder = await database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE pipelines IN ACCESS EXCLUSIVE MODE');
  const answer = ann.call('GET', '/Pipeline');
  // Read outside the holder's transaction, which would always see the same snapshot of the activity.
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%pipelines%'";
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);

  const ended = endBySignal(server);
  await expect
    .poll(() =>
      fetch(`${server.url}/live`).then(
        () => 'taken',
        () => 'refused',
      ),
    )
    .toBe('refused');
  await holder.query('ROLLBACK');
  holder.release();
  expect(await answer).toMatchObject({ status: 200, body: [] });
  expect(await ended).toMatchObject({ code: 0 });
});

test('R10.01 a server whose database hangs is not ready, and ends within ten seconds of SIGTERM', async () => {
  const database = await openTestDatabase();
  leftovers.push(database.remove);
  const link = await linkToDatabase(database.connectionString);
  leftovers.push(link.close);
  const server = await serve({ DATABASE_URL: link.url, ARTEL_SECRET_KEY: randomBytes(32).toString('hex') });
  const ann = await signUp(server.url);
  link.freeze();
  const call = ann.call('GET', '/project').catch(() => 'cut off');
  const asked = performance.now();
  const [ready, live] = await Promise.all([fetch(`${server.url}/ready`), fetch(`${server.url}/live`)]);
  expect([ready.status, live.status]).toEqual([503, 200]);
  expect(await ready.json()).toMatchObject({ status: 'unavailable', database: 'down' });
  expect(performance.now() - asked).toBeLessThan(4_000 * timesSlower());
  const { ms } = await endBySignal(server);
  expect(ms).toBeLessThan(tooLongMs);
  expect(await call).toBe('cut off');
});

test('R10.01 with a shutdown delay a server first reports that it is not ready and still serves', async () => {
  const server = await serve({ ARTEL_SHUTDOWN_DELAY_SECONDS: '5' });
  const ann = await signUp(server.url);
  const ended = endBySignal(server);
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  await expect.poll(() => status('/ready')).toBe(503);
  expect(await status('/live')).toBe(200);
  expect((await ann.call('GET', '/project')).status).toBe(200);
  const { code, ms } = await ended;
  expect(code).toBe(0);
  expect(ms).toBeGreaterThan(5_000);
});
