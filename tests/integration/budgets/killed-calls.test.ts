import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { settleLostCalls } from '../../../server/modules/budgets/index.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { setUpSpend } from '../../support/spend.ts';

const spend = setUpSpend();
const { database, budget, call, used } = spend;

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
  const ofStep = (step: ReturnType<typeof stepOf>) => ({ payer: { userId: spend.user, projectId: null, step } });
  beforeEach(async () => {
    // No run of these steps is stored.
    await database.pool.query('ALTER TABLE spend DROP CONSTRAINT IF EXISTS spend_execution_id_fkey');
  });

  test('G4.04 a killed call counts by its prompt, marked as lost, once no call can repeat it; a late settlement replaces the estimate', async () => {
    const id = await budget('day', { tokens: 1_000, currency: 'USD', micros: 1_000 });
    const first = call({ tokens: 100, micros: 100, least: prompt(8, 3) });
    await spend.ledger.reserve(first);
    await database.pool.query(`UPDATE spend SET created_at = now() - interval '25 hours' WHERE id = $1`, [first.id]);
    await settleLostCalls(createPreparedStatements(database.pool));
    expect(await used(id)).toEqual({ micros: 3, tokens: 8, calls: 1 });
    expect((await database.pool.query('SELECT state FROM spend WHERE id = $1', [first.id])).rows).toEqual([{ state: 'lost' }]);
    await spend.ledger.settle(first.id, paid(30, 5, 40));
    expect(await used(id)).toEqual({ micros: 40, tokens: 35, calls: 1 });
  });

  test('G8.13 a killed call counts by its prompt once a call repeats it, and like the repeating call once that call is settled', async () => {
    const id = await budget('day', { tokens: 250, currency: 'USD', micros: 250 });
    const killed = { ...ofStep(stepOf()), tokens: 100, micros: 100, turn: 2, least: prompt(8, 3) };
    await spend.ledger.reserve(call(killed));
    const [again, later] = [call(killed), call({ ...killed, turn: 3 })];
    const lost = { usage: { totalTokens: 8 }, cost: { amounts: [{ currency: 'USD', micros: 3 }], isEstimated: true } };
    expect(await spend.other.reserve(again)).toMatchObject({ kind: 'reserved', lost: [lost] });
    expect(await used(id)).toEqual({ micros: 103, tokens: 108, calls: 2 });
    const more = await spend.other.settle(again.id, paid(30, 5, 40));
    expect(more).toMatchObject([{ usage: { promptTokens: 22, completionTokens: 5, totalTokens: 27 } }]);
    expect(more[0]?.cost.amounts.reduce((sum, { micros }) => sum + micros, 0)).toBe(37);
    expect(await used(id)).toEqual({ micros: 80, tokens: 70, calls: 2 });
    expect(await spend.other.reserve(later)).toMatchObject({ kind: 'reserved', lost: [] });
    const { step } = killed.payer;
    const ofAnotherRun = call({
      ...killed,
      tokens: 1,
      micros: 1,
      payer: { ...killed.payer, step: { ...step, executionId: randomUUID() } },
    });
    expect(await spend.other.reserve(ofAnotherRun)).toMatchObject({ kind: 'reserved', lost: [] });
    expect(await spend.other.settle(ofAnotherRun.id, paid(0, 0))).toEqual([]);
    await spend.other.settle(later.id, paid(1, 1, 1));
    expect(await used(id)).toEqual({ micros: 81, tokens: 72, calls: 4 });
  });

  test('G8.13 a killed call keeps its count by prompt when the repeating call used nothing or was a call of another model', async () => {
    const id = await budget('day', { tokens: 1_000 });
    const killed = { ...ofStep(stepOf()), tokens: 100, least: prompt(8) };
    await spend.ledger.reserve(call(killed));
    const refused = call(killed);
    await spend.ledger.reserve(refused);
    await spend.ledger.settle(refused.id, paid(0, 0));
    expect(await used(id)).toMatchObject({ tokens: 8, calls: 2 });
    const another = call({ ...killed, model: 'another' });
    await spend.ledger.reserve(another);
    await spend.ledger.settle(another.id, paid(50, 7));
    expect(await used(id)).toMatchObject({ tokens: 65, calls: 3 });
  });

  test.each(['step', 'command'])(
    'G8.13 killed calls do not lock their account out: 160 killed calls of a %s each are repeated at once on two nodes',
    async (kind) => {
      const worst = 6_021;
      const id = await budget('day', { tokens: 1_000_000 });
      const killed = Array.from({ length: 160 }, () => ({
        payer: { userId: spend.user, projectId: null, ...(kind === 'step' ? { step: stepOf() } : { step: null, commandId: randomUUID() }) },
        ...{ tokens: worst, least: prompt(5) },
      }));
      await Promise.all(killed.map((one) => spend.ledger.reserve(call(one))));
      expect(await used(id)).toMatchObject({ tokens: 160 * worst, calls: 160 });
      const again = killed.map((one) => call(one));
      const reserved = await Promise.all(again.map((one, at) => (at % 2 ? spend.ledger : spend.other).reserve(one)));
      expect(reserved.filter(({ kind }) => kind !== 'reserved')).toEqual([]);
      await Promise.all(again.map((one, at) => (at % 2 ? spend.ledger : spend.other).settle(one.id, paid(10, 5))));
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
        await database.pool.query('DELETE FROM budgets WHERE user_id = $1', [spend.user]);
        await database.pool.query('DELETE FROM spend WHERE user_id = $1', [spend.user]);
        const id = await budget('day', { tokens: 100_000, currency: 'USD', micros: 100_000 });
        const steps = [stepOf(), stepOf(), stepOf()];
        const late: (() => Promise<unknown>)[] = [];
        let counted = 0;
        const count = (amounts: readonly { micros: number }[]) => {
          counted += amounts.reduce((sum, { micros }) => sum + micros, 0);
        };
        for (const { step, turn, node, end, ...use } of calls) {
          const made = call({ ...ofStep(steps[step] as ReturnType<typeof stepOf>), tokens: 50, micros: 100, turn, least: prompt(9, 4) });
          const reserved = await (node ? spend.ledger : spend.other).reserve(made);
          for (const { cost } of reserved.lost) count(cost.amounts);
          const settlement = paid(use.prompt, use.completion, use.micros);
          if (end === 'late') late.push(() => spend.ledger.settle(made.id, settlement));
          if (end !== 'settled') continue;
          for (const { cost } of await spend.ledger.settle(made.id, settlement)) count(cost.amounts);
          count(settlement.cost.amounts);
        }
        const spent = async () => {
          const { rows } = await database.pool.query(
            'SELECT sum(prompt_tokens + completion_tokens)::float AS tokens, coalesce(sum(micros), 0)::float AS micros, count(*)::float AS calls FROM spend WHERE user_id = $1',
            [spend.user],
          );
          return rows[0];
        };
        const { rows } = await database.pool.query(
          `SELECT coalesce(sum(micros), 0)::float AS micros FROM spend WHERE user_id = $1 AND state <> 'reserved'`,
          [spend.user],
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
