import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Idempotency } from '../../../server/http/idempotency.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
let idempotency: Idempotency;
const user = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const request = ['POST', '/api/things', { name: 'thing' }];

beforeAll(async () => {
  await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'i@example.com', 'I', 'none')`, [user]);
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM idempotency_keys');
  idempotency = new Idempotency(database.pool);
});

function work() {
  const calls: number[] = [];
  return {
    calls,
    run: async () => {
      calls.push(calls.length + 1);
      return { status: 201, answer: { made: calls.length } };
    },
  };
}

test('R23.01 a second call with the same key gets the first answer, from any node', async () => {
  const { calls, run } = work();
  const other = new Idempotency(database.pool);
  expect(await idempotency.once(user, 'k', request, run)).toEqual({ status: 201, answer: { made: 1 } });
  expect(await other.once(user, 'k', request, run)).toEqual({ status: 201, answer: { made: 1 } });
  expect(calls).toEqual([1]);
});

test('R23.01 a call that arrives during the first waits for its answer', async () => {
  const { calls, run } = work();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = idempotency.once(user, 'k', request, async () => {
    await held;
    return run();
  });
  const second = new Idempotency(database.pool).once(user, 'k', request, run);
  finish();
  expect(await Promise.all([first, second])).toEqual([
    { status: 201, answer: { made: 1 } },
    { status: 201, answer: { made: 1 } },
  ]);
  expect(calls).toEqual([1]);
});

test('R23.01 a call that failed leaves the key free', async () => {
  const { run } = work();
  await expect(idempotency.once(user, 'k', request, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await idempotency.once(user, 'k', request, run)).toMatchObject({ status: 201 });
});

test('R23.01 a key that was used for another request is refused', async () => {
  const { run } = work();
  await idempotency.once(user, 'k', request, run);
  await expect(idempotency.once(user, 'k', ['POST', '/api/things', { name: 'other' }], run)).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
});

test.each([
  ['the only process starts again', async () => new Idempotency(database.pool).releaseAll()],
  ['its claim has run out', async () => database.pool.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 s'")],
])('R23.01 work that a dead process had begun can be done again when %s', async (_, pass) => {
  const { run } = work();
  void idempotency.once(user, 'k', request, () => new Promise(() => {}));
  await expect.poll(async () => (await database.pool.query('SELECT 1 FROM idempotency_keys')).rowCount).toBe(1);
  await pass();
  expect(await new Idempotency(database.pool).once(user, 'k', request, run)).toEqual({ status: 201, answer: { made: 1 } });
});

test('R23.01 an answer that was kept with its write is answered again, though the process died before it could say so', async () => {
  void idempotency.once(user, 'k', request, async (keep) => {
    await database.db.transaction((tx) => keep(tx, { status: 201, answer: { made: 'by the dead' } }));
    return new Promise(() => {});
  });
  await expect.poll(async () => (await database.pool.query('SELECT 1 FROM idempotency_keys WHERE status = 201')).rowCount).toBe(1);
  await new Idempotency(database.pool).releaseAll();
  const { calls, run } = work();
  expect(await new Idempotency(database.pool).once(user, 'k', request, run)).toEqual({ status: 201, answer: { made: 'by the dead' } });
  expect(calls).toEqual([]);
});

test('R23.01 a call that outlived its claim cannot write beside the call that took the claim over', async () => {
  const { run } = work();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow = idempotency.once(user, 'k', request, async (keep) => {
    await held;
    const answer = { status: 201, answer: { made: 'late' } };
    await database.db.transaction((tx) => keep(tx, answer));
    return answer;
  });
  await expect.poll(async () => (await database.pool.query('SELECT 1 FROM idempotency_keys')).rowCount).toBe(1);
  await database.pool.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 s'");
  expect(await idempotency.once(user, 'k', request, run)).toEqual({ status: 201, answer: { made: 1 } });
  goOn();
  await expect(slow).rejects.toMatchObject({ code: 'conflict' });
});

test('R23.01 an answer without a body is kept too, and old keys are forgotten', async () => {
  const run = async () => ({ status: 204, answer: undefined });
  await idempotency.once(user, 'k', request, run);
  expect(await idempotency.once(user, 'k', request, run)).toEqual({ status: 204, answer: null });
  await database.pool.query("UPDATE idempotency_keys SET created_at = now() - interval '3 days'");
  await idempotency.removeOld();
  expect((await database.pool.query('SELECT 1 FROM idempotency_keys')).rowCount).toBe(0);
});
