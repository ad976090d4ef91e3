import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { createBatchedStatements } from '../../../server/platform/database/batched-statements.ts';
import { createPreparedStatements, type RunStatement } from '../../../server/platform/database/prepared-statements.ts';
import { isOutage } from '../../../server/platform/database/retry-on-outage.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
let run: RunStatement;

beforeEach(async () => {
  await database.pool.query('DROP TABLE IF EXISTS stored; CREATE TABLE stored (id integer PRIMARY KEY, value integer NOT NULL DEFAULT 0)');
  run = createBatchedStatements({ pool: database.batches, maxAtOnce: 1, alone: createPreparedStatements(database.work.pool) });
});

const insert = (id: number) => run({ text: 'INSERT INTO stored (id) VALUES ($1) RETURNING id, txid_current()::text AS tx', values: [id] });
const stored = async () => (await database.pool.query<{ id: number }>('SELECT id FROM stored ORDER BY id')).rows.map(({ id }) => id);

test('R10.01 statements that wait at the same time are stored by one commit, and each gets its own rows', async () => {
  const rows = await Promise.all([insert(1), insert(2), insert(3)]);
  expect(rows.map(([row]) => row?.id)).toEqual([1, 2, 3]);
  expect(new Set(rows.map(([row]) => row?.tx)).size).toBe(1);
  const many = Array.from({ length: 100 }, (_, index) => run({ text: 'SELECT $1::integer AS value', values: [index] }));
  expect((await Promise.all(many)).map(([row]) => row?.value)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('R10.01 a statement that fails takes no other of its batch with it', async () => {
  await insert(1);
  const settled = await Promise.allSettled([insert(2), insert(1), insert(3), run({ text: 'SELECT nothing', values: [] })]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(settled[1]).toMatchObject({ reason: { code: '23505' } });
  expect(await stored()).toEqual([1, 2, 3]);
  await insert(4);
});

test('R10.01 a statement that waits for a lock delays no other', async () => {
  await insert(1);
  const holder = new pg.Client({ connectionString: database.connectionString });
  await holder.connect();
  await holder.query('BEGIN; UPDATE stored SET value = 1 WHERE id = 1');
  let isDone = false;
  const waits = run({ text: 'UPDATE stored SET value = value + 1 WHERE id = $1 RETURNING value', values: [1] }).then((rows) => {
    isDone = true;
    return rows;
  });
  await Promise.all([insert(2), insert(3)]);
  await insert(4);
  expect(isDone).toBe(false);
  await holder.query('COMMIT');
  await holder.end();
  expect(await waits).toEqual([{ value: 2 }]);
  expect(await stored()).toEqual([1, 2, 3, 4]);
});

test('R10.01 a connection that is lost fails its statements as an outage, and none is stored twice', async () => {
  const cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = pg_backend_pid() AND $1::text <> ''";
  const settled = await Promise.allSettled([insert(1), run({ text: cut, values: ['now'] }), insert(2)]);
  expect(settled.map((one) => one.status === 'rejected' && isOutage(one.reason))).toEqual([true, true, true]);
  expect(await stored()).toEqual([]);
  await insert(1);
  expect(await stored()).toEqual([1]);
});

test('R10.01 a value that cannot be sent fails its own statement alone', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const bad = run({ text: 'SELECT $1::jsonb AS value', values: [circular] });
  const settled = await Promise.allSettled([insert(1), bad]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await stored()).toEqual([1]);
});

test('R10.01 a large statement delays no other, and large ones run one after another', async () => {
  const text = 'SELECT pg_sleep($2), txid_current()::text AS tx, now() AS at, length($1) AS length';
  const large = (seconds: number) => run({ text, values: ['x'.repeat(200_000), seconds] });
  let isDone = false;
  const slow = Promise.all([large(1), large(0)]).then((rows) => {
    isDone = true;
    return rows;
  });
  await Promise.all([insert(1), insert(2)]);
  expect(isDone).toBe(false);
  const rows = (await slow).flat();
  expect(rows.map(({ length }) => length)).toEqual([200_000, 200_000]);
  const [first, second] = rows.map(({ at }) => (at as Date).getTime());
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(1_000);
});
