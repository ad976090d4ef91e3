import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { callerOf, signUp } from '../../support/call-api.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { openTestDatabase } from '../../support/open-test-database.ts';
import { startServer, startServerThatExits } from '../../support/start-server.ts';
import { databaseIsEmbedded } from '../../support/test-services.ts';

const leftovers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

const postmasterOf = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'R10.01 a server that gets %s ends by itself, its PostgreSQL too, though connections are open',
  async (signal) => {
    const server = await startServer();
    leftovers.push(server.stop);
    const member = await signUp(server.url);
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/natsws?token=${member.accessToken}`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    expect(await server.kill(signal)).toBe(0);
    await closed;
    await expect.poll(() => existsSync(join(server.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    // A busy machine may take longer for PostgreSQL's last checkpoint than the server waits: it ends by itself, as seen above.
    const faults = server
      .logs()
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line) && !line.includes('Closing the database took too long'));
    expect(faults).toEqual([]);
  },
);

test.runIf(databaseIsEmbedded)(
  'R10.01 a server that was killed leaves PostgreSQL running, and the next one adopts it with everything in it',
  async () => {
    const server = await startServer();
    leftovers.push(server.stop);
    const member = await signUp(server.url);
    const postmaster = await postmasterOf(server.dataDir);
    await server.kill('SIGKILL');
    const next = await server.restart();
    leftovers.push(next.stop);
    expect(await postmasterOf(server.dataDir)).toBe(postmaster);
    expect(await callerOf(next.url, member.accessToken).ask('auth.profile')).toMatchObject({ email: member.email });
  },
);

test('R10.01 an access token outlives a restart, since the secret is kept in the data folder', async () => {
  const server = await startServer({ fromSources: true });
  leftovers.push(server.stop);
  const member = await signUp(server.url);
  const next = await server.restart();
  leftovers.push(next.stop);
  expect(await callerOf(next.url, member.accessToken).ask('project.list')).toHaveLength(1);
});

test.runIf(databaseIsEmbedded)('R10.01 a port that is taken is one clear line, and the database is not left running', async () => {
  const server = await startServer();
  leftovers.push(server.stop);
  const folder = await mkdtemp(join(tmpdir(), 'artel-test-'));
  // Helpers of PostgreSQL end a moment after it, and may still write.
  leftovers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  await chmod(folder, 0o755);
  const { code, output } = await startServerThatExits({
    PORT: new URL(server.url).port,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'fatal',
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^Artel cannot start: [^\n]*EADDRINUSE[^\n]*\n$/);
});

test('R10.01 while an external database is away calls answer 503, and all is as it was when it is back', async () => {
  const database = await openTestDatabase();
  leftovers.push(database.remove);
  const link = await linkToDatabase(database.connectionString);
  leftovers.push(link.close);
  const server = await startServer({ env: { DATABASE_URL: link.url, ARTEL_SECRET_KEY: randomBytes(32).toString('hex') } });
  leftovers.push(server.stop);
  const member = await signUp(server.url);
  expect(existsSync(join(server.dataDir, 'postgres'))).toBe(false);

  await link.cut();
  const refusal = await member.refused('project.list');
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable', message: 'Сервер временно недоступен. Повторите попытку чуть позже.' });
  expect(refusal.headers.get('retry-after')).not.toBeNull();
  expect((await fetch(`${server.url}/ready`)).status).toBe(503);
  expect((await fetch(`${server.url}/live`)).status).toBe(200);
  const health = await fetch(`${server.url}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'unavailable', database: 'down' }]);

  await link.mend();
  // The server connects again by itself.
  await vi.waitFor(async () => expect((await fetch(`${server.url}/ready`)).status).toBe(200), { timeout: 20_000, interval: 100 });
  expect(await member.ask('project.list')).toHaveLength(1);
  expect(await server.kill('SIGTERM')).toBe(0);
});
