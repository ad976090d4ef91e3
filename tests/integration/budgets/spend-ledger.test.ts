import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../../server/modules/accounts/index.ts';
import {
  createCallMeter,
  createSpendLedger,
  removeOldSpend,
  setServerBudgets,
  settleLostCalls,
} from '../../../server/modules/budgets/index.ts';
import { budgetRepository } from '../../../server/modules/budgets/repository.ts';
import type { Reservation, SpendLedger } from '../../../server/modules/budgets/spend-ledger.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import type { Conversation, LanguageModel } from '../../../server/platform/llm/language-model.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { toLanguageModel } from '../../../server/platform/llm/to-language-model.ts';
import { worstCaseOf } from '../../../server/platform/llm/worst-case.ts';
import { createPriceList } from '../../../server/platform/prices/price-list.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { cachingProvider } from '../../support/llm/caching-provider.ts';
import { developerReply, runDeveloperStep } from '../../support/llm/developer-step.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
let ledger: SpendLedger;
let other: SpendLedger;
let user: string;

beforeAll(async () => {
  ledger = createSpendLedger(createPreparedStatements(database.pool));
  other = createSpendLedger(createPreparedStatements(database.work.pool));
});
beforeEach(async () => {
  await awayFromMidnight();
  user = randomUUID();
  await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'A', 'none')`, [
    user,
    `${user}@example.com`,
  ]);
});

type Limits = { micros?: number; currency?: string; tokens?: number; calls?: number; active_ms?: number; at_limit?: string };

async function budget(span: 'day' | 'month', limits: Limits): Promise<string> {
  const row = { id: randomUUID(), scope: 'user', user_id: user, span, at_limit: 'ask', ...limits };
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`).join(', ');
  await database.pool.query(`INSERT INTO budgets (${names.join(', ')}) VALUES (${places})`, Object.values(row));
  return row.id;
}

const call = (more: Partial<Reservation> & { tokens?: number; micros?: number } = {}): Reservation => {
  const { tokens = 10, micros = 0, ...rest } = more;
  return {
    ...{ id: randomUUID(), payer: { userId: user, projectId: null, step: null }, provider: 'openai', model: 'm', isLent: false },
    usage: { promptTokens: tokens, completionTokens: 0, totalTokens: tokens },
    cost: { amounts: micros === 0 ? [] : [{ currency: 'USD', micros }] },
    least: { usage: { promptTokens: 1, completionTokens: 0, totalTokens: 1 }, cost: { amounts: [] } },
    ...{ unpricedAllowed: false, turn: 0, ...rest },
  };
};
const used = async (id: string) => {
  const { rows } = await database.pool.query('SELECT micros::float, tokens::float, calls::float FROM budget_uses WHERE budget_id = $1', [
    id,
  ]);
  return rows[0] as { micros: number; tokens: number; calls: number } | undefined;
};

test('G4.03 two nodes cannot both reserve the last cent', async () => {
  const id = await budget('day', { currency: 'USD', micros: 70_000 });
  await ledger.reserve(call({ micros: 60_000 }));
  const [here, there] = await Promise.all([ledger.reserve(call({ micros: 10_000 })), other.reserve(call({ micros: 10_000 }))]);
  expect([here.kind, there.kind].toSorted()).toEqual(['full', 'reserved']);
  expect(await used(id)).toMatchObject({ micros: 70_000, calls: 2 });
});

test('G4.03 two nodes with 64 calls at once make exactly the calls that fit into every budget', async () => {
  const [day, month] = [await budget('day', { tokens: 305 }), await budget('month', { calls: 50, currency: 'USD', micros: 1_000_000 })];
  const all = await Promise.all(Array.from({ length: 64 }, (_, at) => (at % 2 ? ledger : other).reserve(call({ tokens: 10, micros: 7 }))));
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
      await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [user]);
      await database.pool.query('DELETE FROM spend WHERE user_id = $1', [user]);
      const ids = [await budget('day', limits), await budget('month', { tokens: 600 })];
      for (let at = 0; at < steps.length; at += atOnce) {
        await Promise.all(
          steps.slice(at, at + atOnce).map(async ({ words, maxTokens, shares, end, ...one }, place) => {
            const node = place % 2 ? ledger : other;
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
            const payer = { userId: user, projectId: null, step: null };
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
        [user],
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
      await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [user]);
      await database.pool.query('DELETE FROM spend WHERE user_id = $1', [user]);
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
          expect((await ledger.reserve(made)).kind).toBe('reserved');
          const paid = Math.floor((one.micros * one.share) / 100);
          // Some calls stay as they were reserved.
          if (paid > 0) await ledger.settle(made.id, { usage: made.usage, cost: cost(paid), ms: 1, isEstimated: false });
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
      await repository.find({ scope: 'user', span, userId: user, projectId: null, executionId: null });
      await repository.change(id, { currency: 'RUB', micros: 1_000_000 });
      await repository.countMoney(id);
      const begun = begin();
      const waiting = `SELECT count(*)::int AS calls FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await database.pool.query(waiting)).rows[0].calls, { interval: 10 }).toBe(begun.length);
      return begun;
    });
    await Promise.all(calls);
  };

  test('G4.13 a budget whose currency changes does not count a call that is reserved or settled meanwhile in the earlier currency', async () => {
    const day = await budget('day', { currency: 'USD', micros: 1_000_000 });
    await ledger.reserve(call(roubles(300)));
    const [early, late] = [call({ micros: 50 }), call({ micros: 7, unpricedAllowed: true })];
    await ledger.reserve(early);
    const paid = { usage: early.usage, cost: { amounts: [{ currency: 'USD', micros: 20 }] }, ms: 1, isEstimated: false };
    await changeDuring(day, 'day', () => [other.settle(early.id, paid), other.reserve(late)]);
    expect(await used(day)).toEqual({ micros: 300, tokens: 30, calls: 3 });
    const kept = 'SELECT currency, micros::int, state FROM spend WHERE id = ANY($1) ORDER BY micros';
    expect((await database.pool.query(kept, [[early.id, late.id]])).rows).toEqual([
      { currency: 'USD', micros: 7, state: 'reserved' },
      { currency: 'USD', micros: 20, state: 'settled' },
    ]);
  });

  test('G4.13 a budget whose currency changes starts counting in the new currency when the first call is made during the change', async () => {
    const day = await budget('day', { tokens: 1_000 });
    await ledger.reserve(call({ micros: 50 }));
    await ledger.reserve(call(roubles(300)));
    await database.pool.query('DELETE FROM budgets WHERE id = $1', [day]);
    const month = await budget('month', { currency: 'USD', micros: 1_000_000 });
    await changeDuring(month, 'month', () => [other.reserve(call({ ...roubles(40), tokens: 5 }))]);
    expect(await used(month)).toEqual({ micros: 340, tokens: 25, calls: 3 });
  });
});

describe('a call whose process was killed', () => {
  const stepOf = () => ({ executionId: randomUUID(), stepId: randomUUID(), round: 0, item: 0, attempt: 1 });
  const prompt = (tokens: number, micros = 0) => ({
    usage: { promptTokens: tokens, completionTokens: 0, totalTokens: tokens },
    cost: { amounts: micros === 0 ? [] : [{ currency: 'USD', micros }] },
  });
  const paid = (promptTokens: number, completionTokens: number, micros = 0) => ({
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    cost: { amounts: micros === 0 ? [] : [{ currency: 'USD', micros }] },
    ...{ ms: 5, isEstimated: false },
  });
  const ofStep = (step: ReturnType<typeof stepOf>) => ({ payer: { userId: user, projectId: null, step } });
  beforeEach(async () => {
    // No run of these steps is stored.
    await database.pool.query('ALTER TABLE spend DROP CONSTRAINT IF EXISTS spend_execution_id_fkey');
  });

  test('G4.04 a killed call counts by its prompt, marked as lost, once no call can repeat it; a late settlement replaces the estimate', async () => {
    const id = await budget('day', { tokens: 1_000, currency: 'USD', micros: 1_000 });
    const first = call({ tokens: 100, micros: 100, least: prompt(8, 3) });
    await ledger.reserve(first);
    await database.pool.query(`UPDATE spend SET created_at = now() - interval '25 hours' WHERE id = $1`, [first.id]);
    await settleLostCalls(createPreparedStatements(database.pool));
    expect(await used(id)).toEqual({ micros: 3, tokens: 8, calls: 1 });
    expect((await database.pool.query('SELECT state FROM spend WHERE id = $1', [first.id])).rows).toEqual([{ state: 'lost' }]);
    await ledger.settle(first.id, paid(30, 5, 40));
    expect(await used(id)).toEqual({ micros: 40, tokens: 35, calls: 1 });
  });

  test('G8.13 a killed call counts by its prompt once a call repeats it, and like the repeating call once that call is settled', async () => {
    const id = await budget('day', { tokens: 250, currency: 'USD', micros: 250 });
    const killed = { ...ofStep(stepOf()), tokens: 100, micros: 100, turn: 2, least: prompt(8, 3) };
    await ledger.reserve(call(killed));
    const [again, later] = [call(killed), call({ ...killed, turn: 3 })];
    const lost = { usage: { totalTokens: 8 }, cost: { amounts: [{ currency: 'USD', micros: 3 }], isEstimated: true } };
    expect(await other.reserve(again)).toMatchObject({ kind: 'reserved', lost: [lost] });
    expect(await used(id)).toEqual({ micros: 103, tokens: 108, calls: 2 });
    const more = await other.settle(again.id, paid(30, 5, 40));
    expect(more).toMatchObject([{ usage: { promptTokens: 22, completionTokens: 5, totalTokens: 27 } }]);
    expect(more[0]?.cost.amounts.reduce((sum, { micros }) => sum + micros, 0)).toBe(37);
    expect(await used(id)).toEqual({ micros: 80, tokens: 70, calls: 2 });
    expect(await other.reserve(later)).toMatchObject({ kind: 'reserved', lost: [] });
    const { step } = killed.payer;
    const ofAnotherRun = call({
      ...killed,
      tokens: 1,
      micros: 1,
      payer: { ...killed.payer, step: { ...step, executionId: randomUUID() } },
    });
    expect(await other.reserve(ofAnotherRun)).toMatchObject({ kind: 'reserved', lost: [] });
    expect(await other.settle(ofAnotherRun.id, paid(0, 0))).toEqual([]);
    await other.settle(later.id, paid(1, 1, 1));
    expect(await used(id)).toEqual({ micros: 81, tokens: 72, calls: 4 });
  });

  test('G8.13 a killed call keeps its count by prompt when the repeating call used nothing or was a call of another model', async () => {
    const id = await budget('day', { tokens: 1_000 });
    const killed = { ...ofStep(stepOf()), tokens: 100, least: prompt(8) };
    await ledger.reserve(call(killed));
    const refused = call(killed);
    await ledger.reserve(refused);
    await ledger.settle(refused.id, paid(0, 0));
    expect(await used(id)).toMatchObject({ tokens: 8, calls: 2 });
    const another = call({ ...killed, model: 'another' });
    await ledger.reserve(another);
    await ledger.settle(another.id, paid(50, 7));
    expect(await used(id)).toMatchObject({ tokens: 65, calls: 3 });
  });

  test.each(['step', 'command'])(
    'G8.13 killed calls do not lock their account out: 160 killed calls of a %s each are repeated at once on two nodes',
    async (kind) => {
      const worst = 6_021;
      const id = await budget('day', { tokens: 1_000_000 });
      const killed = Array.from({ length: 160 }, () => ({
        payer: { userId: user, projectId: null, ...(kind === 'step' ? { step: stepOf() } : { step: null, commandId: randomUUID() }) },
        ...{ tokens: worst, least: prompt(5) },
      }));
      await Promise.all(killed.map((one) => ledger.reserve(call(one))));
      expect(await used(id)).toMatchObject({ tokens: 160 * worst, calls: 160 });
      const again = killed.map((one) => call(one));
      const reserved = await Promise.all(again.map((one, at) => (at % 2 ? ledger : other).reserve(one)));
      expect(reserved.filter(({ kind }) => kind !== 'reserved')).toEqual([]);
      await Promise.all(again.map((one, at) => (at % 2 ? ledger : other).settle(one.id, paid(10, 5))));
      expect(await used(id)).toMatchObject({ tokens: 2 * 160 * 15, calls: 320 });
    },
  );

  test('G8.13 budgets count what the calls count, with calls made, killed, repeated and settled late in any order', async () => {
    const one = fc.record({
      ...{ step: fc.nat({ max: 2 }), turn: fc.nat({ max: 1 }), node: fc.boolean() },
      end: fc.constantFrom('settled', 'killed', 'late'),
      ...{ prompt: fc.integer({ min: 0, max: 9 }), completion: fc.nat({ max: 40 }), micros: fc.nat({ max: 90 }) },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 14 }), async (calls) => {
        await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [user]);
        await database.pool.query('DELETE FROM spend WHERE user_id = $1', [user]);
        const id = await budget('day', { tokens: 100_000, currency: 'USD', micros: 100_000 });
        const steps = [stepOf(), stepOf(), stepOf()];
        const late: (() => Promise<unknown>)[] = [];
        let counted = 0;
        const count = (amounts: readonly { micros: number }[]) => {
          counted += amounts.reduce((sum, { micros }) => sum + micros, 0);
        };
        for (const { step, turn, node, end, ...use } of calls) {
          const made = call({ ...ofStep(steps[step] as ReturnType<typeof stepOf>), tokens: 50, micros: 100, turn, least: prompt(9, 4) });
          const reserved = await (node ? ledger : other).reserve(made);
          for (const { cost } of reserved.lost) count(cost.amounts);
          const settlement = paid(use.prompt, use.completion, use.micros);
          if (end === 'late') late.push(() => ledger.settle(made.id, settlement));
          if (end !== 'settled') continue;
          for (const { cost } of await ledger.settle(made.id, settlement)) count(cost.amounts);
          count(settlement.cost.amounts);
        }
        const spent = async () => {
          const { rows } = await database.pool.query(
            'SELECT sum(prompt_tokens + completion_tokens)::float AS tokens, coalesce(sum(micros), 0)::float AS micros, count(*)::float AS calls FROM spend WHERE user_id = $1',
            [user],
          );
          return rows[0];
        };
        const { rows } = await database.pool.query(
          `SELECT coalesce(sum(micros), 0)::float AS micros FROM spend WHERE user_id = $1 AND state <> 'reserved'`,
          [user],
        );
        expect(rows[0].micros).toBe(counted);
        expect(await used(id)).toEqual(await spent());
        await Promise.all(late.map((settle) => settle()));
        expect(await used(id)).toEqual(await spent());
      }),
      { numRuns: 40 },
    );
  });
});

describe('a day', () => {
  const move = (days: number) =>
    Promise.all([
      database.pool.query(`UPDATE budget_uses SET period = to_char(period::date + $2::int, 'YYYY-MM-DD') WHERE user_id = $1`, [user, days]),
      database.pool.query(`UPDATE spend SET created_at = created_at + make_interval(days => $2) WHERE user_id = $1`, [user, days]),
    ]);

  test('G4.05 a day begins at midnight UTC with its whole budget, and a call of the day before is settled in that day', async () => {
    const id = await budget('day', { tokens: 100 });
    const late = call({ tokens: 100 });
    expect((await ledger.reserve(late)).kind).toBe('reserved');
    expect((await ledger.reserve(call())).kind).toBe('full');
    await move(-1);
    await database.pool.query(
      `UPDATE spend SET budgets = jsonb_build_array(jsonb_build_object('id', $2::text, 'period', to_char((now() AT TIME ZONE 'utc')::date - 1, 'YYYY-MM-DD'))) WHERE id = $1`,
      [late.id, id],
    );
    expect((await ledger.reserve(call({ tokens: 60 }))).kind).toBe('reserved');
    const usage = { promptTokens: 20, completionTokens: 0, totalTokens: 20 };
    await ledger.settle(late.id, { usage, cost: { amounts: [] }, ms: 1, isEstimated: false });
    const { rows } = await database.pool.query('SELECT tokens::float FROM budget_uses WHERE budget_id = $1 ORDER BY period', [id]);
    expect(rows).toEqual([{ tokens: 20 }, { tokens: 60 }]);
  });

  test('G4.05 a budget that is set during a day counts the calls that were made before', async () => {
    await budget('month', { tokens: 1_000_000 });
    await ledger.reserve(call({ tokens: 70 }));
    await budget('day', { tokens: 100 });
    expect(await ledger.reserve(call({ tokens: 40 }))).toMatchObject({ kind: 'full', limit: { used: 70 } });
    expect((await ledger.reserve(call({ tokens: 30 }))).kind).toBe('reserved');
  });
});

describe('money', () => {
  test('G4.06 a call without a price, or with one in another currency, is asked about; with leave it is made and its tokens count', async () => {
    const id = await budget('day', { currency: 'USD', micros: 1_000, tokens: 500 });
    const unknown = { cost: { amounts: [], isUnknown: true as const } };
    const roubles = { cost: { amounts: [{ currency: 'RUB', micros: 5 }] } };
    for (const foreign of [unknown, roubles])
      expect(await ledger.reserve(call(foreign))).toMatchObject({ kind: 'full', atLimit: 'ask', limit: { kind: 'price', model: 'm' } });
    for (const foreign of [unknown, roubles])
      expect((await ledger.reserve(call({ ...foreign, unpricedAllowed: true, tokens: 100 }))).kind).toBe('reserved');
    expect(await used(id)).toEqual({ micros: 0, tokens: 200, calls: 2 });
  });

  test('G4.06 a budget in the currency of the call does not speak for one in another: that one is asked about', async () => {
    const roubles = await budget('day', { currency: 'RUB', micros: 100_000_000 });
    const dollars = await budget('month', { currency: 'USD', micros: 50_000_000 });
    const asked = { kind: 'full', atLimit: 'ask', limit: { kind: 'price', budgetId: roubles, currency: 'RUB', model: 'm' } };
    expect(await ledger.reserve(call({ micros: 7 }))).toMatchObject(asked);
    expect(await used(dollars)).toMatchObject({ micros: 0, calls: 0 });
    expect((await ledger.reserve(call({ micros: 7, unpricedAllowed: true }))).kind).toBe('reserved');
    expect(await used(dollars)).toMatchObject({ micros: 7, calls: 1 });
    expect(await used(roubles)).toMatchObject({ micros: 0, calls: 1 });
  });

  test('G4.06 a call that costs nothing fits into a budget of any currency', async () => {
    await budget('day', { currency: 'RUB', micros: 1 });
    expect((await ledger.reserve(call())).kind).toBe('reserved');
  });
});

test('R25.01 each user may use the operator’s tokens a day on the server’s keys, and none is counted on own keys', async () => {
  const run = createPreparedStatements(database.pool);
  await setServerBudgets(run, { daily: 100, dailyOfAll: 0 });
  expect((await ledger.reserve(call({ tokens: 1_000 }))).kind).toBe('free');
  expect((await ledger.reserve(call({ isLent: true, tokens: 90 }))).kind).toBe('reserved');
  expect(await ledger.reserve(call({ isLent: true, tokens: 20 }))).toMatchObject({ kind: 'full', atLimit: 'refuse' });
  await setServerBudgets(run, { daily: 0, dailyOfAll: 0 });
  expect((await ledger.reserve(call({ isLent: true, tokens: 1_000 }))).kind).toBe('free');
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
      call({ isLent: true, payer: { userId: users[at % users.length] as string, projectId: null, step: null } }),
    );
    const all = await Promise.all(calls.map((one, at) => (at % 2 ? ledger : other).reserve(one)));
    expect(all.filter(({ kind }) => kind === 'reserved')).toHaveLength(30);
    expect(all.filter(({ kind }) => kind === 'full')).toEqual(
      Array.from({ length: 34 }, () => expect.objectContaining({ atLimit: 'refuse', isOfAll: true })),
    );
    expect(await totalUsed()).toEqual([{ tokens: 300, calls: 30 }]);
    const made = calls.filter((_, at) => all[at]?.kind === 'reserved');
    const usage = { promptTokens: 4, completionTokens: 0, totalTokens: 4 };
    await Promise.all(
      made.map(({ id }, at) => (at % 2 ? ledger : other).settle(id, { usage, cost: { amounts: [] }, ms: 1, isEstimated: false })),
    );
    expect(await totalUsed()).toEqual([{ tokens: 120, calls: 30 }]);
    expect((await ledger.reserve(call({ tokens: 1_000 }))).kind).toBe('free');
  });

  test('G8.12 count the calls that were made before the limit was set, and are not given back by the removal of an account', async () => {
    const gone = await addUser();
    await setServerBudgets(run(), { daily: 1_000, dailyOfAll: 0 });
    await ledger.reserve(call({ isLent: true, tokens: 60, payer: { userId: gone, projectId: null, step: null } }));
    await setServerBudgets(run(), { daily: 1_000, dailyOfAll: 100 });
    expect(await ledger.reserve(call({ isLent: true, tokens: 50 }))).toMatchObject({ kind: 'full', isOfAll: true, limit: { used: 60 } });
    await database.pool.query('DELETE FROM users WHERE id = $1', [gone]);
    expect(await ledger.reserve(call({ isLent: true, tokens: 50 }))).toMatchObject({ kind: 'full', isOfAll: true });
    expect((await ledger.reserve(call({ isLent: true, tokens: 40 }))).kind).toBe('reserved');
  });

  test('G8.12 count a call that is under way by its prompt once its account is removed', async () => {
    const gone = await addUser();
    await setServerBudgets(run(), { daily: 0, dailyOfAll: 100 });
    const lent = call({ isLent: true, tokens: 90, payer: { userId: gone, projectId: null, step: null } });
    await ledger.reserve(lent);
    const none = async () => {};
    await removeAccount({ pool: database.pool, forgetGroups: none, forgetEmails: none }, gone);
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
    const warm = call({ isLent: true });
    await counting.reserve(warm);
    statements = 0;
    for (const one of [call({ isLent: true }), call()]) {
      await counting.reserve(one);
      await counting.settle(one.id, { usage: one.usage, cost: one.cost, ms: 1, isEstimated: false });
    }
    expect(statements).toBe(4);
  });
});

test('G4.14 calls and counts from before the last month are removed, but not those of a run that has not ended', async () => {
  const { pool } = database;
  const run = createPreparedStatements(pool);
  const [day, month] = [await budget('day', { tokens: 1_000 }), await budget('month', { tokens: 1_000 })];
  const [project, pipeline, open, ended] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await pool.query(`INSERT INTO projects (id, user_id, name, description, status) VALUES ($1, $2, 'P', '', 'active')`, [project, user]);
  await pool.query(`INSERT INTO pipelines (id, user_id, project_id, name, status) VALUES ($1, $2, $3, 'L', 'ready')`, [
    pipeline,
    user,
    project,
  ]);
  for (const [id, status] of [
    [open, 'running'],
    [ended, 'completed'],
  ])
    await pool.query(
      `INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, steps_total, timeout_seconds)
        VALUES ($1, $2, $3, $4, $5, 'T', 'en', 0, 60)`,
      [id, user, project, pipeline, status],
    );
  const step = (executionId: string) => ({ executionId, stepId: randomUUID(), round: 0, item: 0, attempt: 1 });
  const calls = [call(), call({ payer: { userId: user, projectId: project, step: step(open) } })];
  for (const executionId of [ended, ended]) calls.push(call({ payer: { userId: user, projectId: project, step: step(executionId) } }));
  for (const one of calls) {
    await ledger.reserve(one);
    await ledger.settle(one.id, { usage: one.usage, cost: { amounts: [] }, ms: 1, isEstimated: false });
  }
  const age = (months: number) =>
    Promise.all([
      pool.query(
        `UPDATE spend SET created_at = date_trunc('month', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc' - make_interval(months => $2) WHERE user_id = $1`,
        [user, months],
      ),
      pool.query(
        `UPDATE budget_uses SET period = to_char(date_trunc('month', now() AT TIME ZONE 'utc') - make_interval(months => $2), CASE length(period) WHEN 7 THEN 'YYYY-MM' ELSE 'YYYY-MM-DD' END) WHERE user_id = $1`,
        [user, months],
      ),
    ]);
  const left = async () => {
    const { rows } = await pool.query('SELECT execution_id FROM spend WHERE user_id = $1', [user]);
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
  const metering = { prices, ledger, limitsLentKeys: false, newId: randomUUID, now: () => new Date() };
  const payer = { userId: user, projectId: null, step: null };
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
