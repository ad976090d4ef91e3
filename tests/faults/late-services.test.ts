import { appendFile, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findNats, startLocalNats } from '../../scripts/cluster/local-nats.ts';
import { type LocalPostgres, startLocalPostgres } from '../../scripts/cluster/local-postgres.ts';
import type { BusMessage } from '../../server/platform/bus/bus.ts';
import { connectNatsBus } from '../../server/platform/bus/nats-bus.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { linkToDatabase } from '../support/database/database-link.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

describe('an external database', () => {
  let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
  let postgres: LocalPostgres;

  beforeEach(async () => {
    folder = await makeOpenFolder();
    postgres = await startLocalPostgres(join(folder.path, 'postgres'));
  });
  afterEach(async () => {
    await postgres?.stop();
    await folder?.remove();
  });

  test('R10.01 the server waits for an external database that starts late, and logs the wait', async () => {
    const link = await linkToDatabase(postgres.url);
    await link.cut();
    const notes: string[] = [];
    const opening = openDatabase({ kind: 'external', url: link.url, waitMs: 60_000 }, (line) => notes.push(line));
    await expect
      .poll(() => notes[0])
      .toMatch(/^Waiting for the database of DATABASE_URL, 60 s more: connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/);
    await link.mend();
    const database = await opening;
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await database.close();
    await link.close();
  });

  test.each([
    ['password', (url: URL) => (url.password = 'wrong'), 'password authentication failed for user "artel"'],
    ['database name', (url: URL) => (url.pathname = '/missing'), 'database "missing" does not exist'],
  ])('R10.01 the server does not wait for an external database with a wrong %s', async (_what, spoil, reason) => {
    const url = new URL(postgres.url);
    spoil(url);
    const notes: string[] = [];
    const opening = openDatabase({ kind: 'external', url: url.href, waitMs: 600_000 }, (line) => notes.push(line));
    await expect(opening).rejects.toThrow(`The database of DATABASE_URL refuses this server: ${reason}.`);
    expect(notes).toEqual([]);
  });
});

test('R10.01 the embedded database is waited for during its crash recovery, however long it takes', {
  timeout: 120_000,
}, async () => {
  const folder = await makeOpenFolder();
  const dataDir = join(folder.path, 'data');
  const cluster = join(dataDir, 'postgres');
  const hold = join(folder.path, 'hold');
  const first = await openDatabase({ kind: 'embedded', dataDir }, () => {});
  await first.pool.query('CREATE TABLE kept (id int)');
  await first.close();

  // A recovery that requests WAL segments; its restore command waits as long as the file exists.
  await writeFile(hold, '');
  await appendFile(join(cluster, 'postgresql.auto.conf'), `restore_command = 'while [ -e "${hold}" ]; do sleep 0.1; done; false'\n`);
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  const { uid, gid } = await stat(cluster);
  await chown(join(cluster, 'recovery.signal'), uid, gid);

  const notes: string[] = [];
  const opening = openDatabase({ kind: 'embedded', dataDir }, (line) => notes.push(line));
  const pid = async () => (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0];
  // Three lines take more than 10 s, after which an unreachable PostgreSQL is stopped.
  await expect.poll(() => notes.length).toBe(3);
  expect(new Set(notes).size).toBe(1);
  expect(notes[0]).toMatch(/^Waiting for the database, which recovers from a crash: the database system is /);
  const recovering = await pid();
  await rm(hold);
  const database = await opening;
  expect(await pid()).toBe(recovering);
  expect((await database.pool.query("SELECT to_regclass('kept') IS NOT NULL AS kept")).rows).toEqual([{ kept: true }]);
  await database.close();
  await folder.remove();
});

describe.runIf(findNats() !== null)('NATS that is away at the start (needs the program nats-server)', () => {
  test('R10.01 a NATS that is away costs only live events: the server starts, logs the absence, and connects when NATS comes', async () => {
    const nats = await startLocalNats();
    await nats.stop();
    const notes: string[] = [];
    const bus = await connectNatsBus(nats.url, (line) => notes.push(line));
    let server: TestServer | null = null;
    try {
      server = await startServer({ env: { ARTEL_CLIENT: 'off', NATS_URL: nats.url } });
      const { url } = server;
      const health = async () => (await fetch(`${url}/health`)).json();
      expect(await health()).toMatchObject({ status: 'ok', bus: { mode: 'nats', connected: false } });
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      expect(notes).toEqual([expect.stringMatching(/^Waiting for the NATS of NATS_URL; live events stay on this server until then: /)]);
      expect(bus.state()).toEqual({ mode: 'nats', connected: false });

      const message = (version: number): BusMessage => ({ type: 'canvas_updated', projectId: 'p', version, origin: null });
      const heard: BusMessage[] = [];
      bus.subscribe('ann', (one) => heard.push(one));
      bus.publish('ann', message(1));
      expect(heard).toEqual([message(1)]);

      await nats.start();
      await expect.poll(() => bus.state().connected).toBe(true);
      await expect.poll(health).toMatchObject({ bus: { connected: true } });
      const other = await connectNatsBus(nats.url, () => {});
      const say = () => {
        other.publish('ann', message(2));
        return heard.at(-1);
      };
      await expect.poll(say).toEqual(message(2));
      await other.close();
    } finally {
      await bus.close();
      await server?.stop();
      await nats.stop();
    }
  });
});
