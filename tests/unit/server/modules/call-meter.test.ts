import { afterEach, expect, test, vi } from 'vitest';
import { createCallMeter } from '../../../../server/modules/budgets/index.ts';
import type { Reservation, Settlement } from '../../../../server/modules/budgets/spend-ledger.ts';
import type { Answer } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { createCallLimits } from '../../../../server/platform/llm/call-limits.ts';
import type { Conversation, LanguageModel, ModelAdapter, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { providerAddresses } from '../../../../server/platform/llm/provider-addresses.ts';
import { sdkModel } from '../../../../server/platform/llm/sdk/sdk-model.ts';
import { toLanguageModel } from '../../../../server/platform/llm/to-language-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';
import { createPriceList, openPriceList } from '../../../../server/platform/prices/price-list.ts';

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
      settle: async (_id: string, settlement: Settlement) => {
        settled.push(settlement);
        return [];
      },
    };
    const metering = { prices, ledger, limitsLentKeys: false, newId: () => 'id', now: () => now };
    const payer = { userId: asOwner('ann'), projectId: null, step: null };
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

test.each([
  [
    'anthropic',
    'claude-sonnet-5-5',
    { promptTokens: 30_000, cachedTokens: 20_000, cacheWriteTokens: 9_000, completionTokens: 500 },
    2_000 + 2_000 + 22_500 + 5_000,
  ],
  ['anthropic', 'claude-opus-5-5', { promptTokens: 30_000, cachedTokens: 20_000, completionTokens: 500 }, 40_000 + 4_000 + 10_000],
  ['anthropic', 'claude-haiku-5-5', { promptTokens: 100_001, completionTokens: 500 }, 50_001 + 1_250],
  [
    'openai',
    'gpt-6.1-sol',
    { promptTokens: 300_000, cachedTokens: 290_000, cacheWriteTokens: 10_000, completionTokens: 1_000 },
    58_000 + 50_000 + 15_000,
  ],
  ['openai', 'gpt-5.5', { promptTokens: 10_000, cacheWriteTokens: 10_000, completionTokens: 0 }, 50_000],
] as const)('G4.01 the cost of a call of %s’s %s is the bill of what it has used', async (provider, model, used, bill) => {
  const usage = { ...used, totalTokens: used.promptTokens + used.completionTokens };
  const asked = {
    ...{ provider, model, host: new URL(providerAddresses[provider]).host, simulated: false },
    converse: async () => ({ ok: true, value: { text: 'Hi', usage, calls: [] } }),
  } as unknown as LanguageModel;
  const reserved: Reservation[] = [];
  const ledger = {
    reserve: async (call: Reservation) => {
      reserved.push(call);
      return { kind: 'reserved' as const, lost: [] };
    },
    settle: async () => [],
  };
  const metering = {
    prices: openPriceList(null),
    ledger,
    limitsLentKeys: false,
    newId: () => 'id',
    now: () => new Date('2026-11-30T12:00:00Z'),
  };
  const meter = createCallMeter(asked, metering, { payer: { userId: asOwner('ann'), projectId: null, step: null }, hasBudget: true });
  const content = 'x'.repeat(2 * used.promptTokens);
  const long = { messages: [{ role: 'user', content }], maxTokens: 1_000 } as unknown as Conversation;
  await meter.model.converse(long, new AbortController().signal, () => {});
  expect(meter.take().cost).toEqual({ amounts: [{ currency: 'USD', micros: bill }] });
  expect(reserved[0]?.cost.amounts[0]?.micros).toBeGreaterThanOrEqual(bill);
});

test('G4.01 what OpenRouter says that it has charged is the cost, also of a model whose price depends; an operator’s price stays', async () => {
  const told = { prompt_tokens: 1_000, completion_tokens: 10, cost: 0.00014 };
  const json = { 'content-type': 'application/json' };
  const costAt = async (baseUrl: string, lines: Parameters<typeof createPriceList>[1], usage: object = told) => {
    const answered = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage });
    const pieces = async function* () {
      yield Buffer.from(answered);
    };
    const scrubber = createScrubber([]);
    const call = async (): Promise<Answer> => ({
      status: 200,
      ok: true,
      headers: json,
      body: pieces(),
      text: async () => answered,
      scrubber,
    });
    const model = toLanguageModel(sdkModel({ provider: 'openrouter', baseUrl, apiKey: 'key', model: 'openrouter/auto', call }));
    const ledger = { reserve: async () => ({ kind: 'free' as const, lost: [] }), settle: async () => [] };
    const metering = {
      prices: createPriceList([], lines),
      ledger,
      limitsLentKeys: false,
      newId: () => 'id',
      now: () => new Date('2026-11-30T12:00:00Z'),
    };
    const meter = createCallMeter(model, metering, { payer: { userId: asOwner('ann'), projectId: null, step: null }, hasBudget: false });
    const talk = { messages: [{ role: 'user', content: 'Hello' }], maxTokens: 10, temperature: null, speaker: {}, idempotencyKey: 'a' };
    await meter.model.converse(talk as unknown as Conversation, new AbortController().signal, () => {});
    return meter.take().cost;
  };
  const named = [{ ...priced('2026-01-01', 'EUR', 1_000_000), provider: 'openrouter', model: 'openrouter/auto' } as const];
  expect(await costAt('https://openrouter.ai/api/v1', [])).toEqual({ amounts: [{ currency: 'USD', micros: 140 }] });
  expect(await costAt('https://openrouter.ai/api/v1', named)).toEqual({ amounts: [{ currency: 'EUR', micros: 1_010 }] });
  expect(await costAt('https://gateway.example/v1', [])).toEqual({ amounts: [], isUnknown: true });
  // With a key of the provider's own OpenRouter charges its fee, and the provider the rest.
  const own = { ...told, cost: 0, is_byok: true };
  expect(await costAt('https://openrouter.ai/api/v1', [], { ...own, cost_details: { upstream_inference_cost: 0.0360795 } })).toEqual({
    amounts: [{ currency: 'USD', micros: 36_080 }],
  });
  expect(await costAt('https://openrouter.ai/api/v1', [], own)).toEqual({ amounts: [], isUnknown: true });
  const lent = { ...told, is_byok: false, cost_details: { upstream_inference_cost: 0.00014 } };
  expect(await costAt('https://openrouter.ai/api/v1', [], lent)).toEqual({ amounts: [{ currency: 'USD', micros: 140 }] });
});

/** Meters calls of one model that takes one call at a time, and that answers when it is told to. */
function meterOfQueue(hasBudget: boolean) {
  const answers: (() => void)[] = [];
  const adapter: ModelAdapter = {
    ...{ provider: 'openai', model: 'm', host: 'api.openai.com', simulated: false, callsTools: false, sees: false },
    converse: () =>
      new Promise((resolve) => {
        const usage = { promptTokens: 8, completionTokens: 2, totalTokens: 10 };
        answers.push(() => resolve({ ok: true, value: { text: 'Hi', thoughts: null, finish: 'stop', usage } }));
      }),
  };
  const model = createCallLimits(1)(toLanguageModel(adapter), { userId: asOwner('ann'), key: 'key' });
  const settled: Settlement[] = [];
  const ledger = {
    reserve: async () => ({ kind: 'reserved' as const, lost: [] }),
    settle: async (_id: string, settlement: Settlement) => {
      settled.push(settlement);
      return [];
    },
  };
  const metering = { prices, ledger, limitsLentKeys: false, newId: () => 'id', now: () => new Date('2026-01-31') };
  const payer = { userId: asOwner('ann'), projectId: null, step: null };
  const meter = createCallMeter(model, metering, { payer, hasBudget });
  const call = (signal = new AbortController().signal) => meter.model.converse(conversation, signal, () => {});
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { meter, call, answers, settled, settle };
}
afterEach(() => {
  vi.useRealTimers();
});

test.each([true, false])('G4.02 a call that is aborted before it is made costs nothing: with a budget %s', async (hasBudget) => {
  const { meter, call, answers, settled, settle } = meterOfQueue(hasBudget);
  const first = call();
  const queued = new AbortController();
  const second = call(queued.signal);
  await settle();
  queued.abort();
  const aborted = { ok: false, error: { code: 'aborted', transient: false } };
  expect([await second, await call(AbortSignal.abort())]).toEqual([aborted, aborted]);
  const { cost, usages, spend } = meter.take();
  expect([cost, usages, spend]).toEqual([{ amounts: [] }, [], []]);
  if (hasBudget) expect(settled[0]).toMatchObject({ usage: { totalTokens: 0 }, cost: { amounts: [] }, ms: 0, isEstimated: false });
  answers[0]?.();
  await first;
  expect(meter.take().cost.amounts).toHaveLength(1);
  expect(answers).toHaveLength(1);
});

test('G4.03 the time of a call does not count its wait for other calls of its key', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { meter, call, answers, settle } = meterOfQueue(false);
  const [first, second] = [call(), call()];
  await settle();
  vi.advanceTimersByTime(10_000);
  answers[0]?.();
  await first;
  await settle();
  vi.advanceTimersByTime(7);
  answers[1]?.();
  await second;
  expect(meter.take().spend.map(({ ms }) => ms)).toEqual([10_000, 7]);
});

test('G8.13 a killed call that no budget knows counts like the call that repeats it, or by its prompt', async () => {
  const usage = { promptTokens: 8, completionTokens: 2, totalTokens: 10 };
  const never = async () => {
    throw new Error('No budget applies.');
  };
  const answered = { ok: true, value: { text: 'Hi', usage, calls: [] } };
  const refused = { ok: false, error: { code: 'model_unauthorized', transient: false } };
  const metering = {
    prices,
    ledger: { reserve: never, settle: never },
    limitsLentKeys: false,
    newId: () => 'id',
    now: () => new Date('2026-01-31'),
  };
  const spendOf = async (outcome: object) => {
    const model = {
      provider: 'openai',
      model: 'm',
      host: 'api.openai.com',
      simulated: false,
      converse: async () => outcome,
    } as unknown as LanguageModel;
    const meter = createCallMeter(model, metering, {
      payer: { userId: asOwner('ann'), projectId: null, step: null },
      hasBudget: false,
      isCutOff: true,
    });
    await meter.model.converse(conversation, new AbortController().signal, () => {});
    return meter.take().spend.map(({ promptTokens, completionTokens, micros, state }) => [promptTokens, completionTokens, micros, state]);
  };
  expect(await spendOf(answered)).toEqual([
    [8, 2, 10, 'estimated'],
    [8, 2, 10, 'settled'],
  ]);
  expect(await spendOf(refused)).toEqual([[2, 0, 2, 'estimated']]);
});

test.each([
  [true, 'model_server_budget_spent'],
  [false, 'model_budget_spent'],
])('G8.12 a call that does not fit into the tokens of all accounts is refused with a reason of its own: %s', async (isOfAll, code) => {
  const limit = { budgetId: 'b', scope: 'user', span: 'day', kind: 'tokens', limit: 1, used: 1, needed: 1, currency: null } as const;
  const ledger = {
    reserve: async () => ({ kind: 'full' as const, limit, atLimit: 'refuse' as const, isOfAll, lost: [] }),
    settle: async () => [],
  };
  const model = { provider: 'openai', model: 'm', host: 'h', simulated: false, usesOperatorKey: true } as unknown as LanguageModel;
  const metering = { prices, ledger, limitsLentKeys: true, newId: () => 'id', now: () => new Date('2026-01-31') };
  const meter = createCallMeter(model, metering, { payer: { userId: asOwner('ann'), projectId: null, step: null }, hasBudget: false });
  const outcome = await meter.model.converse(conversation, new AbortController().signal, () => {});
  expect(outcome).toEqual({ ok: false, error: { code, transient: false } });
});

test.each([
  [true, 32_000],
  [false, null],
])('G4.03 an answer without a length is asked for with what its budget has reserved: %s', async (hasBudget, sent) => {
  const asked: (number | null)[] = [];
  const reserved: Reservation[] = [];
  const model = {
    ...{ provider: 'openai', model: 'm', host: 'api.openai.com', simulated: false },
    converse: async ({ maxTokens }: Conversation): Promise<ModelOutcome> => {
      asked.push(maxTokens);
      return { ok: true, value: { text: 'Hi', thoughts: null, finish: 'stop', usage: null } };
    },
  } as unknown as LanguageModel;
  const ledger = {
    reserve: async (call: Reservation) => {
      reserved.push(call);
      return { kind: 'reserved' as const, lost: [] };
    },
    settle: async () => [],
  };
  const metering = { prices, ledger, limitsLentKeys: false, newId: () => 'id', now: () => new Date('2026-01-31') };
  const meter = createCallMeter(model, metering, { payer: { userId: asOwner('ann'), projectId: null, step: null }, hasBudget });
  await meter.model.converse({ ...conversation, maxTokens: null }, new AbortController().signal, () => {});
  expect(asked).toEqual([sent]);
  expect(reserved.map(({ usage }) => usage.completionTokens)).toEqual(hasBudget ? [sent] : []);
});
