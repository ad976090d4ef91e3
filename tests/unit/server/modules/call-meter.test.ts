import { expect, test } from 'vitest';
import { createCallMeter } from '../../../../server/modules/budgets/index.ts';
import type { Reservation, Settlement } from '../../../../server/modules/budgets/spend-ledger.ts';
import type { Conversation, LanguageModel, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { createPriceList } from '../../../../server/platform/prices/price-list.ts';

const line = { provider: 'openai', model: 'm', source: 'https://example.com', checked: '2026-01-01' } as const;
const priced = (validFrom: string, currency: string, input: number) => ({
  ...{ ...line, validFrom, currency, input, cachedInput: input, output: input, reasoning: input },
});
const prices = createPriceList([priced('2026-01-01', 'USD', 1_000_000), priced('2026-02-01T00:00:00Z', 'RUB', 90_000_000)]);
const conversation = { messages: [{ role: 'user', content: 'Hello' }], maxTokens: 10 } as unknown as Conversation;

test.each([true, false])(
  'G4.01 a price that changes during a call is for later calls only: reserved in a budget %s, it is settled at the price of its beginning',
  async (hasBudget) => {
    let now = new Date('2026-01-31T23:59:59Z');
    const reserved: Reservation[] = [];
    const settled: Settlement[] = [];
    const usage = { promptTokens: 8, completionTokens: 2, totalTokens: 10 };
    const model = {
      ...{ provider: 'openai', model: 'm', host: 'api.openai.com', simulated: false },
      converse: async (): Promise<ModelOutcome> => {
        now = new Date('2026-02-01T00:00:01Z');
        return { ok: true, value: { text: 'Hi', usage, calls: [] } } as unknown as ModelOutcome;
      },
    } as unknown as LanguageModel;
    const ledger = {
      reserve: async (call: Reservation) => {
        reserved.push(call);
        return { kind: 'reserved' as const, lost: [] };
      },
      settle: async (_id: string, settlement: Settlement) => void settled.push(settlement),
    };
    const metering = { prices, ledger, limitsLentKeys: false, newId: () => 'id', now: () => now };
    const payer = { userId: 'ann', projectId: null, step: null };
    const meter = createCallMeter(model, metering, { payer, hasBudget });
    const call = () => meter.model.converse(conversation, new AbortController().signal, () => {});

    await call();
    const inDollars = { amounts: [{ currency: 'USD', micros: 10 }] };
    expect(meter.take().cost).toEqual(inDollars);
    await call();
    expect(meter.take().cost).toEqual({ amounts: [{ currency: 'RUB', micros: 900 }] });
    expect(reserved.map(({ cost }) => cost.amounts[0]?.currency)).toEqual(hasBudget ? ['USD', 'RUB'] : []);
    if (hasBudget) expect(settled[0]?.cost).toEqual(inDollars);
  },
);
