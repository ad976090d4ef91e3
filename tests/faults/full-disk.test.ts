import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedAddress } from '../support/database/embedded-address.ts';
import { mountSmallDisk, type SmallDisk } from '../support/faults/small-disk.ts';
import { signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { timesSlower } from '../support/times-slower.ts';

const probe = await mountSmallDisk(1);
await probe?.remove();
if (probe === null)
  console.log('What a full disk does is not tested here: it takes an account that may mount a small disk (root on Linux).');

describe.runIf(probe !== null)('on a small disk (needs root)', () => {
  let disk: SmallDisk | null;
  let models: ModelServer;
  let server: TestServer;

  beforeAll(async () => {
    disk = await mountSmallDisk(160);
    models = await startModelServer();
    server = await startServer({
      dataDir: join(disk?.path ?? '', 'data'),
      // The database itself is to have no room: the server refuses nothing before.
      env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_FREE_DISK_MB: '0' },
    });
  });
  afterAll(async () => {
    await disk?.free();
    await server?.stop();
    await models?.close();
    await disk?.remove();
  });

  test('R19.01 a full disk refuses writes but no reads and delays a run, and all of it works again when there is space', async () => {
    const ann = await signUp(server.url);
    models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: randomBytes(300_000).toString('hex') }));
    const run = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Write a lot');
    await models.call(1);
    await disk?.fill(0);
    const refusals = new Set<number>();
    const write = async () => {
      const description = randomBytes(1_500).toString('hex');
      const { status } = await ann.call('POST', '/project', { name: 'More', description });
      if (status !== 201) refusals.add(status);
      return status;
    };
    // Without a pause: each try is what fills the disk.
    await expect.poll(write, { interval: 0 }).not.toBe(201);
    models.release(randomBytes(300_000).toString('hex'));
    for (let turn = 0; turn < 20; turn += 1) {
      await write();
      expect((await ann.call('GET', '/nuroagent')).status).toBe(200);
      expect((await ann.call('GET', '/project')).status).toBe(200);
    }
    expect([...refusals].filter((status) => status !== 507 && status !== 503)).toEqual([]);
    expect((await ann.details(run.id)).status).toBe('running');

    await disk?.free();
    const freed = performance.now();
    // The server notices by itself, in a time that is measured here.
    await expect.poll(write, { interval: 100 }).toBe(201);
    expect(performance.now() - freed).toBeLessThan(10_000 * timesSlower());
    const done = await ann.until(run.id, ({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'completed', steps: [{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }] });
    expect(models.calls).toHaveLength(3);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(process.kill(server.pid, 0)).toBe(true);
  });

  test('R19.01 a disk on which even the log of the database cannot grow refuses every call for a while, and the server comes back by itself', async () => {
    const ann = await signUp(server.url);
    await disk?.fill(0);
    await spendLog(server.dataDir);
    await expect.poll(async () => (await ann.call('POST', '/project', { name: 'No room' })).status).toBe(503);
    expect((await fetch(`${server.url}/live`)).status).toBe(200);

    await disk?.free();
    const freed = performance.now();
    await expect.poll(async () => (await ann.call('POST', '/project', { name: 'Room' })).status).toBe(201);
    expect(performance.now() - freed).toBeLessThan(10_000 * timesSlower());
  });
});

/** Switches PostgreSQL's write-ahead log to new segments until there is no space for the next one. */
async function spendLog(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: await embeddedAddress(dataDir) });
  client.on('error', () => {});
  await client.connect();
  const spendOne = (): Promise<void> =>
    client.query('SELECT pg_switch_wal(), pg_current_xact_id()').then(
      () => spendOne(),
      () => {},
    );
  await spendOne();
  await client.end().catch(() => {});
}
