import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TokenLedger, withDailyBudget } from '../../server/platform/llm/daily-budget.ts';
import type { Conversation, ModelAdapter, ModelOutcome } from '../../server/platform/llm/language-model.ts';
import { createTokenLedger } from '../../server/platform/llm/token-ledger.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';

describe('the ledger of tokens', () => {
  let database: TestDatabase;
  let user: string;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database?.remove());
  beforeEach(async () => {
    user = randomUUID();
    await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'A', 'none')`, [
      user,
      `${user}@example.com`,
    ]);
  });
  const moveDay = (days: number) => database.pool.query('UPDATE token_usage SET day = day + $2::int WHERE user_id = $1', [user, days]);

  test('R25.01 adds up what two nodes write at the same time, and nothing of another user', async () => {
    const nodes = [createTokenLedger(database.pool), createTokenLedger(database.pool)];
    expect(await nodes[0]?.spentToday(user)).toBe(0);
    const amounts = Array.from({ length: 100 }, (_, index) => index + 1);
    await Promise.all(amounts.map((tokens) => nodes[tokens % 2]?.add(user, tokens)));
    expect(await nodes[1]?.spentToday(user)).toBe(5_050);
    expect(await nodes[0]?.spentToday(randomUUID())).toBe(0);
  });

  test('R25.01 goes with the next write while one is under way', async () => {
    let writes = 0;
    const ledger = createTokenLedger({
      query: ((text: string, values: unknown[]) => {
        writes += 1;
        return database.pool.query(text, values);
      }) as typeof database.pool.query,
    });
    await Promise.all(Array.from({ length: 50 }, () => ledger.add(user, 2)));
    expect(writes).toBeLessThanOrEqual(2);
    await ledger.add(user, 1);
    expect(await ledger.spentToday(user)).toBe(101);
  });

  test('R25.01 starts again each day, and ignores late counts from the day before', async () => {
    const ledger = createTokenLedger(database.pool);
    await ledger.add(user, 70);
    await moveDay(-1);
    expect(await ledger.spentToday(user)).toBe(0);
    await ledger.add(user, 5);
    expect(await ledger.spentToday(user)).toBe(5);
    await moveDay(+1);
    await ledger.add(user, 900);
    await moveDay(-1);
    expect(await ledger.spentToday(user)).toBe(5);
  });

  test('R25.01 reports a write that failed, and continues with the next', async () => {
    const ledger = createTokenLedger(database.pool);
    await expect(ledger.add('missing', 1)).rejects.toThrow();
    await ledger.add(user, 3);
    expect(await ledger.spentToday(user)).toBe(3);
  });
});

describe('a model on the operator’s account', () => {
  const talk: Conversation = {
    messages: [{ role: 'user', content: 'x'.repeat(400) }],
    speaker: { role: 'QA', agentTitle: 'QA', language: 'en' },
    temperature: 0.7,
    maxTokens: 100,
    idempotencyKey: 'talk',
  };
  const usage = { promptTokens: 20, completionTokens: 10, totalTokens: 30 };
  const answered = (counted: typeof usage | null): ModelOutcome => ({
    ok: true,
    value: { text: 'y'.repeat(40), thoughts: null, finish: 'stop', usage: counted },
  });

  const stage = (perUser: number, outcome: ModelOutcome, words = 'y'.repeat(40)) => {
    let spent = 0;
    let calls = 0;
    const ledger: TokenLedger = {
      spentToday: async () => spent,
      add: async (_user, tokens) => {
        spent += tokens;
      },
    };
    const adapter: ModelAdapter = {
      ...{ provider: 'openai', model: 'm', simulated: false, callsTools: true, host: 'h' },
      converse: async (_conversation, _signal, onText) => {
        calls += 1;
        if (words !== '') onText(words, '');
        return outcome;
      },
    };
    const model = withDailyBudget(adapter, 'user', { ledger, perUser });
    return { ask: () => model.converse(talk, new AbortController().signal, () => {}), spent: () => spent, calls: () => calls };
  };

  test('R25.01 is not called when the day’s tokens are spent', async () => {
    const { ask, calls, spent } = stage(50, answered(usage));
    expect([(await ask()).ok, (await ask()).ok]).toEqual([true, true]);
    expect(await ask()).toEqual({ ok: false, error: { code: 'model_budget_spent', transient: false } });
    expect({ calls: calls(), spent: spent() }).toEqual({ calls: 2, spent: 60 });
  });

  test('R25.01 is called without end where there is no limit', async () => {
    const { ask, spent } = stage(0, answered(usage));
    for (let call = 0; call < 5; call += 1) expect((await ask()).ok).toBe(true);
    expect(spent()).toBe(0);
  });

  test('R25.01 is counted by the length of its texts where the provider does not count', async () => {
    const { ask, spent } = stage(1_000, answered(null));
    await ask();
    expect(spent()).toBe(110);
  });

  test.each([
    ['after some words', 'y'.repeat(40), 'model_unavailable', 110],
    ['by an abort', '', 'aborted', 100],
    ['before it began', '', 'model_unauthorized', 0],
  ] as const)('R25.01 is counted for what had arrived when it failed %s', async (_how, words, code, tokens) => {
    const { ask, spent } = stage(1_000, { ok: false, error: { code, transient: false } }, words);
    expect(await ask()).toMatchObject({ ok: false, error: { code } });
    expect(spent()).toBe(tokens);
  });
});
