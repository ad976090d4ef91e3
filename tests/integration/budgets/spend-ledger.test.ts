import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCallMeter, removeOldSpend } from '../../../server/modules/budgets/index.ts';
import { budgetRepository } from '../../../server/modules/budgets/repository.ts';
import type { SpendLedger } from '../../../server/modules/budgets/spend-ledger.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import type { Conversation, LanguageModel } from '../../../server/platform/llm/language-model.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { toLanguageModel } from '../../../server/platform/llm/to-language-model.ts';
import { worstCaseOf } from '../../../server/platform/llm/worst-case.ts';
import { createPriceList } from '../../../server/platform/prices/price-list.ts';
import { cachingProvider } from '../../support/llm/caching-provider.ts';
import { developerReply, runDeveloperStep } from '../../support/llm/developer-step.ts';
import { setUpSpend } from '../../support/spend.ts';

const spend = setUpSpend();
const { database, budget, call, used } = spend;

test('G4.03 two nodes cannot both reserve the last cent', async () => {
  const id = await budget('day', { currency: 'USD', micros: 70_000 });
  await spend.ledger.reserve(call({ micros: 60_000 }));
  const [here, there] = await Promise.all([spend.ledger.reserve(call({ micros: 10_000 })), spend.other.reserve(call({ micros: 10_000 }))]);
  expect([here.kind, there.kind].toSorted()).toEqual(['full', 'reserved']);
  expect(await used(id)).toMatchObject({ micros: 70_000, calls: 2 });
});

test('G4.03 two nodes with 64 calls at once make exactly the calls that fit into every budget', async () => {
  const [day, month] = [await budget('day', { tokens: 305 }), await budget('month', { calls: 50, currency: 'USD', micros: 1_000_000 })];
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, at) => (at % 2 ? spend.ledger : spend.other).reserve(call({ tokens: 10, micros: 7 }))),
  );
  expect(all.filter(({ kind }) => kind === 'reserved')).toHaveLength(30);
  expect(await used(day)).toMatchObject({ tokens: 300, calls: 30 });
  expect(await used(month)).toMatchObject({ calls: 30, micros: 210 });
  const full = all.find(({ kind }) => kind === 'full');
  expect(full).toMatchObject({ atLimit: 'ask', limit: { kind: 'tokens', limit: 305, used: 300, needed: 10, span: 'day' } });
});

/** A model whose calls have these shares (percent) of the tokens that they can use at most. */
function modelThatUses({ prompt, cached, completion, reasoning }: Record<'prompt' | 'cached' | 'completion' | 'reasoning', number>) {
  const part = (share: number, of: number) => Math.floor((of * share) / 100);
  const converse: LanguageModel['converse'] = async (conversation) => {
    const most = worstCaseOf(conversation);
    const [promptTokens, completionTokens] = [part(prompt, most.promptTokens), part(completion, most.completionTokens)];
    const parts = { cachedTokens: part(cached, promptTokens), reasoningTokens: part(reasoning, completionTokens) };
    const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, ...parts };
    return { ok: true, value: { text: 'Done.', thoughts: null, finish: 'stop', usage } };
  };
  return {
    provider: 'openai',
    model: 'm',
    host: null,
    simulated: false,
    callsTools: false,
    sees: false,
    converse,
  } as unknown as LanguageModel;
}

test('G4.03 no budget is exceeded by a reserved call, and a refused call did not fit, with calls of any price in any order', async () => {
  const perMillion = fc.constantFrom(0, 500_000, 1_000_000, 3_000_000);
  const price = fc.record({
    currency: fc.constant('USD'),
    ...{ input: perMillion, cachedInput: perMillion, output: perMillion, reasoning: perMillion },
  });
  const share = fc.constantFrom(0, 60, 100, 100);
  const step = fc.record({
    ...{ price, words: fc.integer({ min: 0, max: 20 }), maxTokens: fc.integer({ min: 1, max: 40 }) },
    shares: fc.record({ prompt: share, cached: share, completion: share, reasoning: share }),
    end: fc.constantFrom('settled', 'lost'),
  });
  const limits = { tokens: 500, calls: 12, currency: 'USD', micros: 300 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), fc.integer({ min: 1, max: 6 }), async (steps, atOnce) => {
      await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [spend.user]);
      await database.pool.query('DELETE FROM spend WHERE user_id = $1', [spend.user]);
      const ids = [await budget('day', limits), await budget('month', { tokens: 600 })];
      for (let at = 0; at < steps.length; at += atOnce) {
        await Promise.all(
          steps.slice(at, at + atOnce).map(async ({ words, maxTokens, shares, end, ...one }, place) => {
            const node = place % 2 ? spend.ledger : spend.other;
            const twice: SpendLedger['settle'] = async (...settlement) => {
              if (end === 'lost') return [];
              await node.settle(...settlement);
              return node.settle(...settlement);
            };
            const metering = {
              prices: { find: () => one.price },
              ledger: { ...node, settle: twice },
              newId: randomUUID,
              now: () => new Date(),
            };
            const payer = { userId: spend.user, projectId: null, step: null };
            const meter = createCallMeter(modelThatUses(shares), { ...metering, limitsLentKeys: false }, { payer, hasBudget: true });
            const conversation = { messages: [{ role: 'user', content: 'x '.repeat(words) }], maxTokens } as unknown as Conversation;
            const outcome = await meter.model.converse(conversation, new AbortController().signal, () => {});
            if (outcome.ok) return;
            const { limit } = outcome.error;
            if (!limit) throw new Error(`The call failed: ${outcome.error.code}.`);
            expect(limit.used + limit.needed).toBeGreaterThan(limit.limit);
          }),
        );
        const [day, month] = [await used(ids[0] as string), await used(ids[1] as string)];
        expect(day?.tokens ?? 0).toBeLessThanOrEqual(limits.tokens);
        expect(day?.micros ?? 0).toBeLessThanOrEqual(limits.micros);
        expect(day?.calls ?? 0).toBeLessThanOrEqual(limits.calls);
        expect(month?.tokens ?? 0).toBeLessThanOrEqual(600);
      }
      const { rows } = await database.pool.query(
        'SELECT coalesce(sum(prompt_tokens + completion_tokens), 0)::float AS tokens, coalesce(sum(micros), 0)::float AS micros, count(*)::float AS calls FROM spend WHERE user_id = $1',
        [spend.user],
      );
      expect((await used(ids[0] as string)) ?? { tokens: 0, micros: 0, calls: 0 }).toEqual(rows[0]);
    }),
    { numRuns: 25 },
  );
});

test('G4.13 a budget counts the spend in its currency, with calls reserved and settled and the currency changed in any order', async () => {
  const currency = fc.constantFrom('USD', 'RUB');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('call' as const),
      currency,
      micros: fc.integer({ min: 1, max: 40 }),
      share: fc.integer({ min: 0, max: 100 }),
    }),
    fc.record({ kind: fc.constant('change' as const), currency: fc.option(currency) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
      await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [spend.user]);
      await database.pool.query('DELETE FROM spend WHERE user_id = $1', [spend.user]);
      const id = await budget('day', { currency: 'USD', micros: 1_000_000 });
      let inCurrency: string | null = 'USD';
      const spent = new Map<string | null, number>();
      for (const one of steps) {
        if (one.kind === 'change') {
          inCurrency = one.currency;
          await database.db.transaction(async (tx) => {
            const repository = budgetRepository(tx);
            await repository.change(id, { currency: one.currency, micros: one.currency && 1_000_000, calls: 1_000 });
            await repository.countMoney(id);
          });
        } else {
          const cost = (micros: number) => ({ amounts: [{ currency: one.currency, micros }] });
          const made = call({ cost: cost(one.micros), unpricedAllowed: true });
          expect((await spend.ledger.reserve(made)).kind).toBe('reserved');
          const paid = Math.floor((one.micros * one.share) / 100);
          // Some calls stay as they were reserved.
          if (paid > 0) await spend.ledger.settle(made.id, { usage: made.usage, cost: cost(paid), ms: 1, isEstimated: false });
          spent.set(one.currency, (spent.get(one.currency) ?? 0) + (paid || one.micros));
        }
        const calls = await used(id);
        if (calls) expect(calls.micros).toBe(spent.get(inCurrency) ?? 0);
      }
    }),
    { numRuns: 25 },
  );
});

describe('a budget whose currency changes', () => {
  const roubles = (micros: number) => ({ cost: { amounts: [{ currency: 'RUB', micros }] }, unpricedAllowed: true });
  /** Changes a budget to roubles, and makes these calls while the change holds its rows. */
  const changeDuring = async (id: string, span: 'day' | 'month', begin: () => Promise<unknown>[]) => {
    const calls = await database.db.transaction(async (tx) => {
      const repository = budgetRepository(tx);
      await repository.find({ scope: 'user', span, userId: spend.user, projectId: null, executionId: null });
      await repository.change(id, { currency: 'RUB', micros: 1_000_000 });
      await repository.countMoney(id);
      const begun = begin();
      const waiting = `SELECT count(*)::int AS calls FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // All calls wait for the lock of the change before it ends.
      await expect.poll(async () => (await database.pool.query(waiting)).rows[0].calls, { interval: 10 }).toBe(begun.length);
      return begun;
    });
    await Promise.all(calls);
  };

  test('G4.13 a budget whose currency changes does not count a call that is reserved or settled meanwhile in the earlier currency', async () => {
    const day = await budget('day', { currency: 'USD', micros: 1_000_000 });
    await spend.ledger.reserve(call(roubles(300)));
    const [early, late] = [call({ micros: 50 }), call({ micros: 7, unpricedAllowed: true })];
    await spend.ledger.reserve(early);
    const paid = { usage: early.usage, cost: { amounts: [{ currency: 'USD', micros: 20 }] }, ms: 1, isEstimated: false };
    await changeDuring(day, 'day', () => [spend.other.settle(early.id, paid), spend.other.reserve(late)]);
    expect(await used(day)).toEqual({ micros: 300, tokens: 30, calls: 3 });
    const kept = 'SELECT currency, micros::int, state FROM spend WHERE id = ANY($1) ORDER BY micros';
    expect((await database.pool.query(kept, [[early.id, late.id]])).rows).toEqual([
      { currency: 'USD', micros: 7, state: 'reserved' },
      { currency: 'USD', micros: 20, state: 'settled' },
    ]);
  });

  test('G4.13 a budget whose currency changes starts counting in the new currency when the first call is made during the change', async () => {
    const day = await budget('day', { tokens: 1_000 });
    await spend.ledger.reserve(call({ micros: 50 }));
    await spend.ledger.reserve(call(roubles(300)));
    await database.pool.query('DELETE FROM budgets WHERE id = $1', [day]);
    const month = await budget('month', { currency: 'USD', micros: 1_000_000 });
    await changeDuring(month, 'month', () => [spend.other.reserve(call({ ...roubles(40), tokens: 5 }))]);
    expect(await used(month)).toEqual({ micros: 340, tokens: 25, calls: 3 });
  });
});

describe('a day', () => {
  const move = (days: number) =>
    Promise.all([
      database.pool.query(`UPDATE budget_uses SET period = to_char(period::date + $2::int, 'YYYY-MM-DD') WHERE user_id = $1`, [
        spend.user,
        days,
      ]),
      database.pool.query(`UPDATE spend SET created_at = created_at + make_interval(days => $2) WHERE user_id = $1`, [spend.user, days]),
    ]);

  test('G4.05 a day begins at midnight UTC with its whole budget, and a call of the day before is settled in that day', async () => {
    const id = await budget('day', { tokens: 100 });
    const late = call({ tokens: 100 });
    expect((await spend.ledger.reserve(late)).kind).toBe('reserved');
    expect((await spend.ledger.reserve(call())).kind).toBe('full');
    await move(-1);
    await database.pool.query(
      `UPDATE spend SET budgets = jsonb_build_array(jsonb_build_object('id', $2::text, 'period', to_char((now() AT TIME ZONE 'utc')::date - 1, 'YYYY-MM-DD'))) WHERE id = $1`,
      [late.id, id],
    );
    expect((await spend.ledger.reserve(call({ tokens: 60 }))).kind).toBe('reserved');
    const usage = { promptTokens: 20, completionTokens: 0, totalTokens: 20 };
    await spend.ledger.settle(late.id, { usage, cost: { amounts: [] }, ms: 1, isEstimated: false });
    const { rows } = await database.pool.query('SELECT tokens::float FROM budget_uses WHERE budget_id = $1 ORDER BY period', [id]);
    expect(rows).toEqual([{ tokens: 20 }, { tokens: 60 }]);
  });

  test('G4.05 a budget that is set during a day counts the calls that were made before', async () => {
    await budget('month', { tokens: 1_000_000 });
    await spend.ledger.reserve(call({ tokens: 70 }));
    await budget('day', { tokens: 100 });
    expect(await spend.ledger.reserve(call({ tokens: 40 }))).toMatchObject({ kind: 'full', limit: { used: 70 } });
    expect((await spend.ledger.reserve(call({ tokens: 30 }))).kind).toBe('reserved');
  });
});

describe('money', () => {
  test('G4.06 a call without a price, or with one in another currency, is asked about; with leave it is made and its tokens count', async () => {
    const id = await budget('day', { currency: 'USD', micros: 1_000, tokens: 500 });
    const unknown = { cost: { amounts: [], isUnknown: true as const } };
    const roubles = { cost: { amounts: [{ currency: 'RUB', micros: 5 }] } };
    for (const foreign of [unknown, roubles])
      expect(await spend.ledger.reserve(call(foreign))).toMatchObject({
        kind: 'full',
        atLimit: 'ask',
        limit: { kind: 'price', model: 'm' },
      });
    for (const foreign of [unknown, roubles])
      expect((await spend.ledger.reserve(call({ ...foreign, unpricedAllowed: true, tokens: 100 }))).kind).toBe('reserved');
    expect(await used(id)).toEqual({ micros: 0, tokens: 200, calls: 2 });
  });

  test('G4.06 a budget in the currency of the call does not speak for one in another: that one is asked about', async () => {
    const roubles = await budget('day', { currency: 'RUB', micros: 100_000_000 });
    const dollars = await budget('month', { currency: 'USD', micros: 50_000_000 });
    const asked = { kind: 'full', atLimit: 'ask', limit: { kind: 'price', budgetId: roubles, currency: 'RUB', model: 'm' } };
    expect(await spend.ledger.reserve(call({ micros: 7 }))).toMatchObject(asked);
    expect(await used(dollars)).toMatchObject({ micros: 0, calls: 0 });
    expect((await spend.ledger.reserve(call({ micros: 7, unpricedAllowed: true }))).kind).toBe('reserved');
    expect(await used(dollars)).toMatchObject({ micros: 7, calls: 1 });
    expect(await used(roubles)).toMatchObject({ micros: 0, calls: 1 });
  });

  test('G4.06 a call that costs nothing fits into a budget of any currency', async () => {
    await budget('day', { currency: 'RUB', micros: 1 });
    expect((await spend.ledger.reserve(call())).kind).toBe('reserved');
  });
});

test('G4.14 calls and counts from before the last month are removed, but not those of a run that has not ended', async () => {
  const { pool } = database;
  const run = createPreparedStatements(pool);
  const [day, month] = [await budget('day', { tokens: 1_000 }), await budget('month', { tokens: 1_000 })];
  const [project, pipeline, open, ended] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await pool.query(`INSERT INTO projects (id, user_id, name, description, status) VALUES ($1, $2, 'P', '', 'active')`, [
    project,
    spend.user,
  ]);
  await pool.query(`INSERT INTO pipelines (id, user_id, project_id, name, status) VALUES ($1, $2, $3, 'L', 'ready')`, [
    pipeline,
    spend.user,
    project,
  ]);
  for (const [id, status] of [
    [open, 'running'],
    [ended, 'completed'],
  ])
    await pool.query(
      `INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, steps_total, timeout_seconds)
        VALUES ($1, $2, $3, $4, $5, 'T', 'en', 0, 60)`,
      [id, spend.user, project, pipeline, status],
    );
  const step = (executionId: string) => ({ executionId, stepId: randomUUID(), round: 0, item: 0, attempt: 1 });
  const calls = [call(), call({ payer: { userId: spend.user, projectId: project, step: step(open) } })];
  for (const executionId of [ended, ended])
    calls.push(call({ payer: { userId: spend.user, projectId: project, step: step(executionId) } }));
  for (const one of calls) {
    await spend.ledger.reserve(one);
    await spend.ledger.settle(one.id, { usage: one.usage, cost: { amounts: [] }, ms: 1, isEstimated: false });
  }
  const age = (months: number) =>
    Promise.all([
      pool.query(
        `UPDATE spend SET created_at = date_trunc('month', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc' - make_interval(months => $2) WHERE user_id = $1`,
        [spend.user, months],
      ),
      pool.query(
        `UPDATE budget_uses SET period = to_char(date_trunc('month', now() AT TIME ZONE 'utc') - make_interval(months => $2), CASE length(period) WHEN 7 THEN 'YYYY-MM' ELSE 'YYYY-MM-DD' END) WHERE user_id = $1`,
        [spend.user, months],
      ),
    ]);
  const left = async () => {
    const { rows } = await pool.query('SELECT execution_id FROM spend WHERE user_id = $1', [spend.user]);
    return rows.map(({ execution_id }) => execution_id);
  };
  await age(1);
  expect(await removeOldSpend(run, 1_000)).toBe(false);
  expect(await left()).toHaveLength(4);
  expect([await used(day), await used(month)]).toEqual([expect.anything(), expect.anything()]);
  await age(2);
  expect(await removeOldSpend(run, 2)).toBe(true);
  while (await removeOldSpend(run, 2));
  expect(await left()).toEqual([open]);
  expect([await used(day), await used(month)]).toEqual([undefined, undefined]);
});

test('M4.13 cached input has its own price in budgets: a developer pays less than half for the prompts of a step', async () => {
  const id = await budget('day', { currency: 'USD', micros: 1_000_000_000_000 });
  const line = {
    provider: 'openrouter',
    model: 'm',
    source: 'https://example.com',
    checked: '2026-01-01',
    validFrom: '2026-01-01',
    host: 'models.example.com',
  } as const;
  const prices = createPriceList([{ ...line, currency: 'USD', input: 1_000_000, cachedInput: 100_000, output: 0, reasoning: 0 }]);
  const server = cachingProvider('chat', developerReply);
  const model = sdkModel({
    provider: 'openrouter',
    baseUrl: 'https://models.example.com/v1',
    apiKey: 'key',
    model: 'm',
    call: server.call,
  });
  const metering = { prices, ledger: spend.ledger, limitsLentKeys: false, newId: randomUUID, now: () => new Date() };
  const payer = { userId: spend.user, projectId: null, step: null };
  const meter = createCallMeter(toLanguageModel(model), metering, { payer, hasBudget: true });
  await runDeveloperStep(meter.model, 6);
  const { input, cached } = server.total();
  const perCall = server.inputs.map((one) => Math.ceil(one.input - one.cached + one.cached / 10));
  const { amounts } = meter.take().cost;
  expect(amounts).toEqual([{ currency: 'USD', micros: expect.any(Number) }]);
  expect(amounts[0]?.micros).toBeCloseTo(
    perCall.reduce((sum, one) => sum + one, 0),
    -1,
  );
  expect(await used(id)).toMatchObject({ micros: amounts[0]?.micros, calls: 6 });
  expect(cached / input).toBeGreaterThan(0.6);
  expect(amounts[0]?.micros).toBeLessThan(input / 2);
});
