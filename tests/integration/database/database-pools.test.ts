import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPools, poolLimits } from '../../../server/platform/database/open-pools.ts';
import { isOutage } from '../../../server/platform/database/retry-on-outage.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

describe('a server whose writes wait', () => {
  let models: ModelServer;
  let database: TestDatabase;
  let server: ServerAmongOthers;
  let ann: RunAccount;

  beforeAll(async () => {
    models = await startModelServer();
    ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url }));
    ann = await signUp(server.url);
  });
  afterAll(async () => {
    await server?.stop();
    await database?.remove();
    await models?.close();
  });

  /** Blocks all writes to projects until the returned function is called; reads still work. */
  async function holdProjects(): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: database.connectionString });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE projects IN SHARE MODE');
    return () => holder.end();
  }

  /** The time of the queue's last heartbeat (ms). */
  const heartbeats = async () =>
    (await database.pool.query<{ at: Date | null }>("SELECT monitor_claim_on AS at FROM artel_queue.queue WHERE name = 'execution'")).rows
      .map(({ at }) => at?.getTime() ?? 0)
      .at(0) ?? 0;

  test('R10.01 30 waiting writes delay no read, no heartbeat and no probe', async () => {
    const release = await holdProjects();
    const writes = Array.from({ length: 30 }, (_, index) => ann.call('POST', '/project', { name: `Project ${index}` }));
    let answered = 0;
    // A busy machine may take longer than a write waits for a connection: that one is refused.
    for (const write of writes) void write.then(({ status }) => (answered += status === 503 ? 0 : 1));
    const waiting = async () =>
      (await database.pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"))
        .rowCount;
    await expect.poll(waiting).toBe(poolLimits.writes.ofAccount.max);

    const before = await heartbeats();
    const reads = await Promise.all(Array.from({ length: 60 }, () => ann.call('GET', '/project')));
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    expect((await ann.call('GET', '/project/default/canvas')).status).toBe(200);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    await expect.poll(heartbeats).toBeGreaterThan(before);
    expect(answered).toBe(0);

    await release();
    const made = (await Promise.all(writes)).map(({ status }) => status).filter((status) => status !== 503);
    expect(new Set(made)).toEqual(new Set([201]));
    expect(made.length).toBeGreaterThanOrEqual(poolLimits.writes.ofAccount.max);
  });

  test('R10.01 a run continues while writes wait', async () => {
    models.answer({ kind: 'hang' });
    const calls = models.calls.length;
    const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Go on');
    await models.call(calls + 1);
    const release = await holdProjects();
    const writes = Array.from({ length: 30 }, (_, index) => ann.call('POST', '/project', { name: `Project ${index}` }));
    models.answer({ kind: 'text', text: 'Second' });
    models.release('First');
    const done = await ann.until(run.id, ({ status }) => status !== 'running' && status !== 'pending');
    expect(done).toMatchObject({ status: 'completed', result: 'Second' });
    await release();
    await Promise.all(writes);
  });

  test('R10.01 a write that finds no connection in time is answered with 503 and when to try again', async () => {
    const release = await holdProjects();
    const writes = Array.from({ length: 30 }, (_, index) => ann.call('POST', '/project', { name: `Project ${index}` }));
    // The table is locked, so no write succeeds; which one is refused first is open.
    const refused = await Promise.race(writes);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await release();
    await Promise.all(writes);
  });

  test('R10.01 a database that takes no writes is not ready, and serves reads; then it is again', async () => {
    const administer = new pg.Client({ connectionString: database.connectionString });
    await administer.connect();
    const setReadOnly = async (value: 'on' | 'off') => {
      await administer.query('SET default_transaction_read_only = off');
      await administer.query(
        `ALTER DATABASE ${pg.escapeIdentifier(administer.database ?? '')} SET default_transaction_read_only = ${value}`,
      );
      await administer.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    };
    const ready = async () => (await fetch(`${server.url}/ready`)).status;
    await setReadOnly('on');
    await expect.poll(ready).toBe(503);
    await expect.poll(async () => (await ann.call('GET', '/project')).status).toBe(200);
    expect((await ann.call('POST', '/project', { name: 'No' })).status).toBe(503);
    await setReadOnly('off');
    await expect.poll(ready).toBe(200);
    await expect.poll(async () => (await ann.call('POST', '/project', { name: 'Yes' })).status).toBe(201);
    await administer.end();
  });
});

describe('pools', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.pool.query('CREATE TABLE held (id int)');
  });
  afterAll(() => database?.remove());

  /** Opens pools of one connection. `waitMs` also limits the time that a new connection takes. */
  const open = (connectionString: string, { waitMs }: { waitMs: number }) => {
    const quick = { max: 1, maxWaiting: 1, waitMs, statementMs: 300 };
    const limits = { reads: quick, writes: quick, work: quick, batches: quick, queue: quick, heartbeats: quick };
    return openPools({ connectionString }, () => {}, limits);
  };
  const reasonOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  test('R10.01 a statement that waits too long for a lock ends by itself, as an outage', async () => {
    const pools = open(database.connectionString, { waitMs: 20_000 });
    await database.db.transaction(async (tx) => {
      await tx.execute('LOCK TABLE held');
      const reason = await reasonOf(pools.pool.query('INSERT INTO held VALUES (1)'));
      expect(reason).toMatchObject({ code: '57014' });
      expect(isOutage(reason)).toBe(true);
    });
    await pools.pool.query('INSERT INTO held VALUES (1)');
    await pools.end();
  });

  test('R10.01 a call is refused at once when too many wait, and after the limit when it has waited too long', async () => {
    const pools = open(database.connectionString, { waitMs: 2_000 });
    const client = await pools.work.pool.connect();
    const waits = reasonOf(pools.work.pool.query('SELECT 1'));
    const refused = await reasonOf(pools.work.pool.query('SELECT 1'));
    expect(refused).toMatchObject({ message: 'Too many callers wait for a database connection.' });
    const reasons = [refused, await waits];
    expect(reasons.map(isOutage)).toEqual([true, true]);
    client.release();
    await pools.end();
  });

  test('R10.01 a database that hangs in a transaction costs only that connection', async () => {
    const link = await linkToDatabase(database.connectionString);
    const pools = open(link.url, { waitMs: 20_000 });
    const hung = pools.work.db.transaction(async (tx) => {
      await tx.execute('SELECT 1');
      link.freeze();
      await tx.execute('SELECT 2');
    });
    expect(isOutage(await reasonOf(hung))).toBe(true);
    await expect.poll(() => pools.work.pool.totalCount).toBe(0);
    await link.close();
    await pools.end();
  });
});
