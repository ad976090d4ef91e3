import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../../server/modules/accounts/index.ts';
import { createSpendLedger, setServerBudgets } from '../../../server/modules/budgets/index.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { setUpSpend } from '../../support/spend.ts';

const spend = setUpSpend();
const { database, call } = spend;

test('R25.01 each user may use the operator’s tokens a day on the server’s keys, and none is counted on own keys', async () => {
  const run = createPreparedStatements(database.pool);
  await setServerBudgets(run, { daily: 100, dailyOfAll: 0 });
  expect((await spend.ledger.reserve(call({ tokens: 1_000 }))).kind).toBe('free');
  expect((await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 90 }))).kind).toBe('reserved');
  expect(await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 20 }))).toMatchObject({ kind: 'full', atLimit: 'refuse' });
  await setServerBudgets(run, { daily: 0, dailyOfAll: 0 });
  expect((await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 1_000 }))).kind).toBe('free');
});

describe('the tokens of all accounts together', () => {
  const run = () => createPreparedStatements(database.pool);
  const addUser = async () => {
    const id = randomUUID();
    await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'B', 'none')`, [id, `${id}@example.com`]);
    return id;
  };
  const totalUsed = async () => {
    const { rows } = await database.pool.query('SELECT tokens::int, calls::int FROM budget_uses WHERE user_id IS NULL');
    return rows;
  };
  beforeEach(async () => {
    await database.pool.query('DELETE FROM spend');
    await database.pool.query('DELETE FROM budget_uses');
  });
  afterEach(() => setServerBudgets(run(), { daily: 0, dailyOfAll: 0 }));

  test('G8.12 two nodes with calls of many accounts at once make exactly the calls on the server’s keys that fit into the day', async () => {
    await setServerBudgets(run(), { daily: 100, dailyOfAll: 305 });
    const users = await Promise.all(Array.from({ length: 16 }, addUser));
    const calls = Array.from({ length: 64 }, (_, at) =>
      call({ usesOperatorKey: true, payer: { userId: asOwner(users[at % users.length] as string), projectId: null, step: null } }),
    );
    const all = await Promise.all(calls.map((one, at) => (at % 2 ? spend.ledger : spend.other).reserve(one)));
    expect(all.filter(({ kind }) => kind === 'reserved')).toHaveLength(30);
    expect(all.filter(({ kind }) => kind === 'full')).toEqual(
      Array.from({ length: 34 }, () => expect.objectContaining({ atLimit: 'refuse', isOfAll: true })),
    );
    expect(await totalUsed()).toEqual([{ tokens: 300, calls: 30 }]);
    const made = calls.filter((_, at) => all[at]?.kind === 'reserved');
    const usage = { promptTokens: 4, completionTokens: 0, totalTokens: 4 };
    await Promise.all(
      made.map(({ id }, at) =>
        (at % 2 ? spend.ledger : spend.other).settle(id, { usage, cost: { amounts: [] }, ms: 1, isEstimated: false }),
      ),
    );
    expect(await totalUsed()).toEqual([{ tokens: 120, calls: 30 }]);
    expect((await spend.ledger.reserve(call({ tokens: 1_000 }))).kind).toBe('free');
  });

  test('G8.12 count the calls that were made before the limit was set, and are not given back by the removal of an account', async () => {
    const gone = await addUser();
    await setServerBudgets(run(), { daily: 1_000, dailyOfAll: 0 });
    await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 60, payer: { userId: asOwner(gone), projectId: null, step: null } }));
    await setServerBudgets(run(), { daily: 1_000, dailyOfAll: 100 });
    expect(await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 50 }))).toMatchObject({
      kind: 'full',
      isOfAll: true,
      limit: { used: 60 },
    });
    await database.pool.query('DELETE FROM users WHERE id = $1', [gone]);
    expect(await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 50 }))).toMatchObject({ kind: 'full', isOfAll: true });
    expect((await spend.ledger.reserve(call({ usesOperatorKey: true, tokens: 40 }))).kind).toBe('reserved');
  });

  test('G8.12 count a call that is under way by its prompt once its account is removed', async () => {
    const gone = await addUser();
    await setServerBudgets(run(), { daily: 0, dailyOfAll: 100 });
    const lent = call({ usesOperatorKey: true, tokens: 90, payer: { userId: asOwner(gone), projectId: null, step: null } });
    await spend.ledger.reserve(lent);
    const none = async () => {};
    await removeAccount({ pool: database.pool, forgetGroups: none, forgetEmails: none }, asOwner(gone));
    expect(await totalUsed()).toEqual([{ tokens: 1, calls: 1 }]);
    const { rows } = await database.pool.query(`SELECT prompt_tokens::int AS tokens FROM left_spend WHERE model = 'm'`);
    expect(rows).toEqual([{ tokens: 1 }]);
  });

  test('G8.12 cost no statement more: one to reserve a call, and one to settle it', async () => {
    await setServerBudgets(run(), { daily: 1_000, dailyOfAll: 1_000 });
    let statements = 0;
    const counting = createSpendLedger((statement) => {
      statements += 1;
      return run()(statement);
    });
    const warm = call({ usesOperatorKey: true });
    await counting.reserve(warm);
    statements = 0;
    for (const one of [call({ usesOperatorKey: true }), call()]) {
      await counting.reserve(one);
      await counting.settle(one.id, { usage: one.usage, cost: one.cost, ms: 1, isEstimated: false });
    }
    expect(statements).toBe(4);
  });
});
