import { v7 } from 'uuid';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../server/platform/database/database.ts';
import { openPools } from '../../../server/platform/database/open-pools.ts';
import { createPreparedStatements, transact } from '../../../server/platform/database/prepared-statements.ts';
import { writeStatement } from '../../../server/platform/database/statement.ts';
import { reliedOn } from '../../../server/platform/work-queue/pg-boss/job-table.ts';
import { PgBossQueue, usualQueueIntervals } from '../../../server/platform/work-queue/pg-boss/pg-boss-queue.ts';
import type { Job, JobClaim, JobOutcome, WorkQueue } from '../../../server/platform/work-queue/work-queue.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
const open: WorkQueue[] = [];
const page = { limit: 10, offset: 0 };
const intervals = { ...usualQueueIntervals, suspectWatchMs: 400, suspectPauseMs: 10 };

afterEach(async () => {
  await database.pool.query('DELETE FROM dead_letters');
  for (const queue of open.splice(0)) {
    queue.stop();
    await queue.drain(0);
    await queue.close();
  }
});

/** A process's queue whose commands this handler runs, one at a time for each group. */
async function openQueue(
  handler: (job: Job, queue: WorkQueue) => Promise<JobOutcome>,
  isAlone = false,
  { queue: pool, heartbeats, connectionString }: Pick<Database, 'queue' | 'heartbeats' | 'connectionString'> = database,
): Promise<WorkQueue> {
  const log = { warn: () => {}, error: () => {} };
  const queue = new PgBossQueue({ pool, heartbeats, connectionString, isAlone, intervals, log });
  queue.work('command', { maxAtOnce: 10, maxPerGroup: 1, heartbeatMs: 200, recover: async () => {} }, (job) => handler(job, queue));
  await queue.start();
  open.push(queue);
  return queue;
}

async function send(queue: WorkQueue, group: string, many = 1): Promise<string[]> {
  const ids = Array.from({ length: many }, () => v7());
  await transact(database.pool, (run) =>
    queue.send(
      run,
      'command',
      ids.map((id) => ({ id, group })),
    ),
  );
  queue.wake('command');
  return ids;
}

const until = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('R23.01 a job whose every attempt fails is tried five times and becomes a dead letter', async () => {
  const claims: number[] = [];
  const queue = await openQueue(async (job, itself) => {
    if (!job.isExhausted) {
      claims.push(job.claim);
      throw new Error('It fails.');
    }
    await transact(database.pool, (run) => itself.bury(run, 'command', job, 'Given up.'));
    return 'buried';
  });
  const [id] = await send(queue, 'poisoned');
  const dead = async () => (await queue.deadJobs(page)).items.map(({ jobId, reason }) => [jobId, reason]);
  await expect.poll(dead).toEqual([[id, 'Given up.']]);
  expect(claims).toEqual([0, 1, 2, 3, 4]);
});

const handlerOf = (work: (job: Job) => Promise<void>) => async (job: Job, queue: WorkQueue) => {
  if (job.isExhausted) {
    await transact(database.pool, (run) => queue.bury(run, 'command', job, 'Given up.'));
    return 'buried' as const;
  }
  await work(job);
  return 'done' as const;
};
/** The process of a queue ends as by a kill: its jobs stay at work. */
const kill = async () => {
  const queue = open.pop();
  queue?.stop();
  await queue?.close();
};

test('R23.01 a job that the ends of its process only interrupt is never given up, also after the twelfth', async () => {
  let begun = Promise.withResolvers<string>();
  const hanging = handlerOf(async (job) => {
    begun.resolve(job.id);
    await until(job.signal);
  });
  let id: string | undefined;
  for (let process = 0; process < 12; process += 1) {
    begun = Promise.withResolvers();
    const queue = await openQueue(hanging, true);
    id ??= (await send(queue, 'interrupted'))[0];
    expect(await begun.promise).toBe(id);
    // A process that lives on while the job is watched is not ended by it.
    await expect.poll(() => interruptionsOf(id as string)).toBeLessThan(5);
    await kill();
  }
  const ended: string[] = [];
  const last = await openQueue(
    handlerOf(async (job) => void ended.push(job.id)),
    true,
  );
  await expect.poll(() => ended).toEqual([id]);
  expect((await last.deadJobs(page)).items).toEqual([]);
});

const interruptionsOf = async (id: string): Promise<number> => {
  const { rows } = await database.pool.query(
    `SELECT coalesce((data->>'interruptions')::integer, 0) AS count FROM artel_queue.job WHERE id = $1`,
    [id],
  );
  return rows[0]?.count;
};

test('R23.01 a job that ends its process each time is given up, and none of those beside it', async () => {
  let killed = Promise.withResolvers<void>();
  let [culprit, begins]: [string | undefined, number] = [undefined, 0];
  const deadly = handlerOf(async (job) => {
    if (job.id === culprit) {
      begins += 1;
      killed.resolve();
    }
    await until(job.signal);
  });
  const first = await openQueue(deadly, true);
  const beside = (await Promise.all(['a', 'b', 'c', 'd'].map((group) => send(first, group)))).flat();
  [culprit] = await send(first, 'poisoned');
  const dead = async () => (await (open.at(-1) as WorkQueue).deadJobs(page)).items.map(({ jobId }) => jobId);
  const isDead = async () => {
    while ((await dead()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return true;
  };
  while (!(await Promise.race([isDead(), killed.promise]))) {
    await kill();
    killed = Promise.withResolvers();
    await openQueue(deadly, true);
  }
  expect(await dead()).toEqual([culprit]);
  // Five ends make it a suspect, and three alone give it up. Beside others a watched one may meet more, on a slow machine twice as many.
  expect(begins).toBeGreaterThanOrEqual(8);
  expect(begins).toBeLessThanOrEqual(24);
  await kill();
  const ended: string[] = [];
  await openQueue(
    handlerOf(async (job) => void ended.push(job.id)),
    true,
  );
  await expect.poll(() => ended.toSorted()).toEqual(beside.toSorted());
});

test('R23.01 one group with many jobs does not delay the job of another', async () => {
  const begun: string[] = [];
  const queue = await openQueue(async (job) => {
    begun.push(job.id);
    await until(AbortSignal.any([job.signal, job.stopping]));
    return 'released';
  });
  const many = await send(queue, 'many', 500);
  await expect.poll(() => begun.length).toBe(1);
  const [one] = await send(queue, 'one');
  await expect.poll(() => begun).toContain(one);
  expect(begun).toHaveLength(2);
  await transact(database.pool, (run) => queue.cancel(run, 'command', [...many, one as string]));
});

test('R10.01 an ending process gives its jobs back without a charged attempt, and its claims do not hold for the next process', async () => {
  const claims: JobClaim[] = [];
  const left: number[] = [];
  const take = async (job: Job) => {
    const { rows } = await database.pool.query('SELECT retry_limit - retry_count AS left FROM artel_queue.job WHERE id = $1', [job.id]);
    left.push(rows[0]?.left);
    claims.push({ id: job.id, claim: job.claim });
    await until(job.signal);
    return 'released' as const;
  };
  const first = await openQueue(take);
  await send(first, 'moving');
  for (const taken of [1, 2, 3]) {
    await expect.poll(() => claims.length).toBe(taken);
    const queue = open.at(-1) as WorkQueue;
    const run = createPreparedStatements(database.pool);
    const holds = (claim: JobClaim) => run(writeStatement((place) => `SELECT ${queue.holdsJob('command', claim, place)} AS held`));
    const held = await Promise.all(claims.map(async (claim) => (await holds(claim))[0]?.held));
    expect(held).toEqual([...Array(taken - 1).fill(false), true]);
    queue.stop();
    await queue.drain(0);
    if (taken < 3) await openQueue(take);
  }
  expect(left).toEqual([5, 5, 5]);
  await database.pool.query('DELETE FROM artel_queue.job');
});

test('R23.01 a job that is cancelled is cut off', async () => {
  const cut = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const queue = await openQueue(async (job) => {
    begun.resolve();
    await until(job.signal);
    cut.resolve();
    return 'released';
  });
  const ids = await send(queue, 'cancelled');
  await begun.promise;
  await transact(database.pool, (run) => queue.cancel(run, 'command', ids));
  await cut.promise;
});

test('R23.01 a job that is stored by a larger statement equals a job that the queue stores, and other processes are notified', async () => {
  const done: string[] = [];
  const queue = await openQueue(async ({ id }) => {
    done.push(id);
    return 'done';
  });
  const run = createPreparedStatements(database.pool);
  const insert = (id: string, delayMs: number, source: string) =>
    run(
      writeStatement(
        (place) =>
          `WITH own AS (${source}), job AS (${queue.insertJob('command', { id, group: 'one', delayMs }, { source: 'own', place })}) SELECT 1`,
      ),
    );
  const [late, own, none, soon] = [v7(), v7(), v7(), v7()];
  const later = 600_000;
  await insert(own, later, 'SELECT 1');
  await insert(none, later, 'SELECT 1 WHERE false');
  await transact(database.pool, (within) => queue.send(within, 'command', [{ id: late, group: 'one', delayMs: later }]));
  const { rows } = await database.pool.query(
    `SELECT id, to_jsonb(job) - 'id' - 'created_on' - 'start_after' - 'keep_until' AS rest, start_after - created_on AS delay,
       keep_until - start_after AS kept FROM artel_queue.job WHERE id = ANY ($1::uuid[])`,
    [[late, own, none]],
  );
  const [sent, inserted] = [late, own].map((id) => rows.find((row) => row.id === id));
  expect(rows).toHaveLength(2);
  expect({ ...inserted, id: late }).toEqual(sent);

  const listener = await database.pool.connect();
  const told: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => told.push(payload));
  const { rows: channels } = await database.pool.query("SELECT 'pgboss_' || left(encode(sha224('artel_queue'::bytea), 'hex'), 24) AS name");
  await listener.query(`LISTEN ${channels[0].name}`);
  await insert(soon, 0, 'SELECT 1');
  await expect.poll(() => told).toEqual(['command']);
  listener.release(true);
  await expect.poll(() => done).toEqual([soon]);
});

test('R23.01 a job that its sender claims is stored as claimed, and its first attempt begins at once', async () => {
  const begun: [string, unknown, number][] = [];
  const queue = await openQueue(async ({ id, known, claim, signal, stopping }) => {
    begun.push([id, known, claim]);
    await until(AbortSignal.any([signal, stopping]));
    return 'released';
  }, true);
  const run = createPreparedStatements(database.pool);
  const store = (id: string, group: string) =>
    run(
      writeStatement(
        (place) =>
          `WITH own AS (SELECT 1), job AS (${queue.insertJob('command', { id, group, isTaken: true }, { source: 'own', place })}) SELECT 1`,
      ),
    );
  const id = v7();
  await expect.poll(() => queue.take('command', { id, group: 'taker' }) !== null).toBe(true);
  expect(queue.take('command', { id: v7(), group: 'taker' })).toBeNull();
  const other = queue.take('command', { id: v7(), group: 'refused' });
  other?.release();
  const [lost, next] = [v7(), v7()];
  const abandoned = queue.take('command', { id: lost, group: 'lost' });
  await store(lost, 'lost');
  abandoned?.abandon();
  await expect.poll(() => begun).toEqual([[lost, undefined, 1]]);
  const taken = queue.take('command', { id: next, group: 'refused' });
  await store(next, 'refused');
  taken?.begin('the first step');
  expect(begun.at(-1)).toEqual([next, 'the first step', 0]);
  const [fetched] = await send(queue, 'fetched');
  await expect.poll(() => begun.length).toBe(3);
  const { rows } = await database.pool.query(
    `SELECT id, to_jsonb(job) - ARRAY['id', 'group_id', 'created_on', 'start_after', 'keep_until', 'started_on', 'heartbeat_on'] AS rest,
       started_on <= now() AND heartbeat_on <= now() AS is_begun FROM artel_queue.job WHERE id = ANY ($1::uuid[])`,
    [[next, fetched]],
  );
  expect(rows.map(({ is_begun: isBegun }) => isBegun)).toEqual([true, true]);
  expect(rows[0]?.rest).toEqual(rows[1]?.rest);

  await run(
    writeStatement((place) => `WITH own AS (SELECT 1), gone AS (${queue.removeJob('command', next, { source: 'own', place })}) SELECT 1`),
  );
  await transact(database.pool, (within) => queue.cancel(within, 'command', [lost, fetched as string]));
  const { rowCount } = await database.pool.query('SELECT 1 FROM artel_queue.job WHERE id = ANY ($1::uuid[])', [[next, lost, fetched]]);
  expect(rowCount).toBe(0);
});

/** Whether the first claim of a job was confirmed after this moment. */
async function isConfirmed(id: string, since: Date): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "SELECT FROM artel_queue.job WHERE id = $1 AND state = 'active' AND retry_count = 0 AND heartbeat_on > $2",
    [id, since],
  );
  return rowCount === 1;
}
const databaseNow = async () => (await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]?.now as Date;

test('R10.01 a process whose database connections hang confirms its jobs over a new connection before other processes claim them', async () => {
  const link = await linkToDatabase(database.connectionString);
  const pools = openPools({ connectionString: link.url }, () => {});
  onTestFinished(() => pools.end());
  const takers: string[] = [];
  const takenBy = (taker: string) => async (job: Job) => {
    takers.push(taker);
    await until(job.signal);
    return 'released' as const;
  };
  try {
    const first = await openQueue(takenBy('the first'), false, { ...pools, connectionString: link.url });
    const [id = ''] = await send(first, 'hanging');
    await expect.poll(() => takers).toEqual(['the first']);
    const takenAt = await databaseNow();
    await expect.poll(() => isConfirmed(id, takenAt)).toBe(true);
    await openQueue(takenBy('another'));
    link.hang();
    const hungAt = await databaseNow();
    await expect.poll(() => isConfirmed(id, hungAt)).toBe(true);
    expect(takers).toEqual(['the first']);
    await transact(database.pool, (run) => first.cancel(run, 'command', [id]));
  } finally {
    await link.close();
  }
});

test('R10.01 a job whose row is locked delays the confirmation of no other job, and stays with its process', async () => {
  const begun: string[] = [];
  const lost: string[] = [];
  const queue = await openQueue(async ({ id, signal }) => {
    begun.push(id);
    await until(signal);
    lost.push(id);
    return 'released';
  });
  const [[locked = ''], [free = '']] = [await send(queue, 'locked'), await send(queue, 'free')];
  await expect.poll(() => begun.length).toBe(2);
  await transact(database.pool, async (run) => {
    await run({ text: 'SELECT FROM artel_queue.job WHERE id = $1 FOR UPDATE', values: [locked] });
    const lockedAt = await databaseNow();
    // The transaction is not idle meanwhile.
    await expect.poll(async () => (await run({ text: 'SELECT 1', values: [] })) && isConfirmed(free, lockedAt)).toBe(true);
  });
  const releasedAt = await databaseNow();
  await expect.poll(() => isConfirmed(locked, releasedAt)).toBe(true);
  expect(lost).toEqual([]);
  await transact(database.pool, (run) => queue.cancel(run, 'command', [locked, free]));
});

test('pg-boss of the installed version has the columns that this server names in its own statements', async () => {
  await openQueue(async () => 'done');
  const { rows } = await database.pool.query<{ table: 'job' | 'queue'; name: string }>(
    `SELECT table_name AS table, column_name AS name FROM information_schema.columns
       WHERE table_schema = 'artel_queue' AND table_name IN ('job', 'queue')`,
  );
  const namesOf = (table: 'job' | 'queue') => rows.filter((row) => row.table === table).map(({ name }) => name);
  expect(namesOf('job')).toEqual(expect.arrayContaining([...reliedOn.job, ...reliedOn.both]));
  expect(namesOf('queue')).toEqual(expect.arrayContaining([...reliedOn.queue, ...reliedOn.both]));
});
