import { expect, test } from 'vitest';
import { providerModels } from '../../../../contract/agent.ts';
import { costOf } from '../../../../rules/cost/cost-of.ts';
import { providerAddresses } from '../../../../server/platform/llm/provider-addresses.ts';
import { endOf } from '../../../../server/platform/model-lists/known-models.ts';
import { createPriceList, openPriceList } from '../../../../server/platform/prices/price-list.ts';
import { type PriceLine, readPrices } from '../../../../server/platform/prices/read-prices.ts';

const line: PriceLine = {
  ...{ provider: 'openai', model: 'gpt-x', validFrom: '2026-01-01', currency: 'USD' },
  ...{ input: 2_000_000, cachedInput: 500_000, output: 8_000_000, reasoning: 8_000_000 },
};
const rates = { input: 1, cachedInput: 1, output: 1, reasoning: 1 };
const step = (above: number) => ({ above, ...rates });
const fileOf = (...lines: object[]) => lines.map((one) => JSON.stringify(one)).join('\n');
const at = (day: string) => new Date(`${day}T12:00:00Z`);
const home = 'api.openai.com';

test('G4.01 the prices that come with the server can be read, and say where each was read and when', () => {
  const list = openPriceList(null);
  expect(list.currencies).toContain('USD');
  const found = list.find({ provider: 'anthropic', model: 'claude-sonnet-4-6', host: 'api.anthropic.com' }, at('2026-11-24'));
  expect(found).toMatchObject({ currency: 'USD', input: 3_000_000, cachedInput: 300_000, output: 15_000_000, source: expect.any(String) });
});

test('G4.01 each model that is offered at a provider with public prices has one, with its page and the day of the look', () => {
  const list = openPriceList(null);
  for (const provider of ['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai'] as const)
    for (const { name, id } of providerModels[provider]) {
      if (endOf(provider, name)) continue;
      const found = list.find({ provider, model: id, host: new URL(providerAddresses[provider]).host }, at('2026-11-30'));
      expect([name, found]).toEqual([
        name,
        expect.objectContaining({ currency: 'USD', source: expect.stringContaining('https://'), checked: expect.any(String) }),
      ]);
    }
});

test.each([
  ['anthropic', 'claude-opus-5-5', { input: 4_000_000, cachedInput: 200_000, cacheWrite: 5_000_000, output: 20_000_000 }],
  ['anthropic', 'claude-sonnet-5-5', { input: 2_000_000, cachedInput: 100_000, cacheWrite: 2_500_000 }],
  [
    'anthropic',
    'claude-haiku-5-5',
    { input: 100_000, steps: [expect.objectContaining({ above: 100_000, input: 500_000, output: 2_500_000 })] },
  ],
  ['openai', 'gpt-6.1-sol', { cacheWrite: 2_500_000, steps: [expect.objectContaining({ above: 272_000, cachedInput: 200_000 })] }],
  ['google', 'gemini-3.8-flash', { input: 750_000, cachedInput: 75_000, output: 3_750_000 }],
  ['xai', 'grok-4.7', { input: 2_000_000, steps: [expect.objectContaining({ above: 199_999, input: 4_000_000 })] }],
  ['mistral', 'mistral-large-latest', { input: 500_000, output: 1_500_000 }],
] as const)('G4.01 the price of %s’s %s is the one of its page', (provider, model, price) => {
  const { host } = new URL(providerAddresses[provider]);
  expect(openPriceList(null).find({ provider, model, host }, at('2026-11-30'))).toMatchObject(price);
});

test('G4.01 a model costs more at its dearer hours: DeepSeek’s on a Monday at two, but not at five, and not on a Sunday', () => {
  const priceAt = (moment: string) =>
    openPriceList(null).find({ provider: 'deepseek', model: 'deepseek-flash', host: 'api.deepseek.com' }, new Date(moment));
  expect(priceAt('2026-11-30T02:00:00Z')).toMatchObject({ input: 300_000, cachedInput: 6_000, output: 1_200_000 });
  expect(priceAt('2026-11-30T05:00:00Z')).toMatchObject({ input: 150_000, cachedInput: 3_000, output: 600_000 });
  expect(priceAt('2026-11-29T02:00:00Z')).toMatchObject({ input: 150_000 });
});

test('G4.01 the price that a server reports goes before the built-in list, and after the price of the operator', () => {
  const toldPrice = { currency: 'USD', input: 5, cachedInput: 5, output: 5, reasoning: 5 };
  const asked = { provider: 'openai', model: 'gpt-x', host: home };
  expect(createPriceList([line]).find({ ...asked, toldPrice }, at('2026-11-30'))).toEqual(toldPrice);
  expect(createPriceList([line]).find({ ...asked, toldPrice: null }, at('2026-11-30'))).toMatchObject({ input: 2_000_000 });
  expect(createPriceList([], [line]).find({ ...asked, toldPrice }, at('2026-11-30'))).toMatchObject({ input: 2_000_000 });
});

test('G4.01 the price at a moment is the newest one that is valid by then', () => {
  const list = createPriceList([
    line,
    { ...line, validFrom: '2026-06-01', input: 1_000_000 },
    { ...line, validFrom: '2026-03-01', input: 3_000_000 },
  ]);
  const inputAt = (day: string) => list.find({ provider: 'openai', model: 'gpt-x', host: home }, at(day))?.input ?? null;
  expect(['2025-12-31', '2026-01-01', '2026-04-01', '2026-06-01'].map(inputAt)).toEqual([null, 2_000_000, 3_000_000, 1_000_000]);
});

test('G4.01 a model that the operator prices has only the operator’s prices; a host that no line names has none', () => {
  const own = { ...line, validFrom: '2025-01-01', input: 7 };
  const list = createPriceList([line, { ...line, model: 'gpt-y' }], [own, { ...line, host: 'gateway.example:8443', input: 9 }]);
  const inputOf = (model: string, host: string) => list.find({ provider: 'openai', model, host }, at('2026-11-24'))?.input ?? null;
  expect(inputOf('gpt-x', home)).toBe(7);
  expect(inputOf('gpt-y', home)).toBe(2_000_000);
  expect(inputOf('gpt-x', 'gateway.example:8443')).toBe(9);
  expect(inputOf('gpt-y', 'gateway.example:8443')).toBeNull();
});

test('G4.01 a model of Yandex Cloud has the price of its name in every folder', () => {
  const list = createPriceList([{ ...line, provider: 'yandexgpt', model: 'yandexgpt-lite', currency: 'RUB' }]);
  const host = 'llm.api.cloud.yandex.net';
  expect(list.find({ provider: 'yandexgpt', model: 'gpt://b1gfolder/yandexgpt-lite/latest', host }, at('2026-11-24'))?.currency).toBe(
    'RUB',
  );
  expect(list.find({ provider: 'yandexgpt', model: 'gpt://b1gfolder/yandexgpt-lite/rc', host }, at('2026-11-24'))).toBeNull();
});

test('G4.01 the rates of dearer hours are for prompts of each length, and for what is written to a cache', () => {
  const rates = { input: 4_000_000, cachedInput: 400_000, output: 8_000_000, reasoning: 8_000_000 };
  const long = { above: 200_000, ...rates, input: 2_000_000 };
  const list = createPriceList(
    [],
    [{ ...line, currency: 'USD', model: 'busy', cacheWrite: 1_250_000, steps: [long], peak: { days: [1], hours: [[1, 4]], rates } }],
  );
  const price = list.find({ provider: line.provider, model: 'busy', host: home }, new Date('2026-11-30T02:00:00Z'));
  const tokens = { promptTokens: 300_000, cacheWriteTokens: 300_000, completionTokens: 0, totalTokens: 300_000 };
  expect(costOf(tokens, price)).toEqual({ amounts: [{ currency: 'USD', micros: 1_200_000 }] });
});

test('G4.01 models of Ollama and LM Studio on this machine cost nothing, unless the operator prices them or another machine answers', () => {
  const list = createPriceList([], [{ ...line, provider: 'ollama', model: 'priced', host: 'localhost:11434', input: 9 }]);
  const priceOf = (provider: string, host: string | null, model = 'qwen3:8b') => list.find({ provider, model, host }, at('2026-11-24'));
  const free = { currency: 'USD', input: 0, cachedInput: 0, output: 0, reasoning: 0 };
  for (const host of ['127.0.0.1:11434', 'localhost:11434', '[::1]:1234']) {
    expect(priceOf('ollama', host)).toEqual(free);
    expect(priceOf('lmstudio', host)).toEqual(free);
    expect(priceOf('compatible', host)).toBeNull();
  }
  expect(priceOf('ollama', 'models.example')).toBeNull();
  expect(priceOf('lmstudio', '10.0.0.7:1234')).toBeNull();
  expect(priceOf('ollama', null)).toBeNull();
  expect(priceOf('ollama', '127.0.0.1:11434', 'gpt-oss:120b-cloud')).toBeNull();
  expect(priceOf('ollama', 'localhost:11434', 'priced')).toMatchObject({ input: 9 });
});

test.each([
  ['a negative price', { ...line, model: 'b', input: -1 }, '"input" must be a whole number'],
  ['a missing price', { ...line, model: 'b', output: undefined }, '"output" must be a whole number'],
  ['a broken price', { ...line, model: 'b', reasoning: 0.5 }, '"reasoning" must be a whole number'],
  ['a price that is text', { ...line, model: 'b', cachedInput: '5' }, '"cachedInput" must be a whole number'],
  ['a price past every sum', { ...line, model: 'b', input: 1e18 }, '"input" must be a whole number'],
  ['an unknown field', { ...line, model: 'b', discount: 3 }, 'has an unknown field, "discount"'],
  ['a wrong currency', { ...line, model: 'b', currency: 'dollars' }, '"currency" must be a code'],
  ['a wrong day', { ...line, model: 'b', validFrom: '31.12.2026' }, '"validFrom" must be a day'],
  ['a missing day', { ...line, model: 'b', validFrom: undefined }, '"validFrom" must be a day'],
  ['an unknown provider', { ...line, model: 'b', provider: 'acme' }, '"provider" must be one of'],
  ['a missing model', { ...line, model: undefined }, '"model" is missing or wrong'],
  ['a wrong step', { ...line, model: 'b', steps: [{ above: 5 }] }, '"steps.1.input" must be a whole number'],
  [
    'a step that is shorter than the one before it',
    { ...line, model: 'b', steps: [step(9), step(9)] },
    '"steps" is wrong: each step names the tokens',
  ],
  ['hours that end before they begin', { ...line, model: 'b', peak: { days: [1], hours: [[4, 1]], rates } }, '"peak.hours.1" is wrong'],
  ['a duplicate', line, 'repeats line 1'],
])('G4.01 %s is refused with the name of the file and of the line', (_, wrong, why) => {
  expect(() => readPrices(`${fileOf(line)}\n\n${fileOf(wrong)}\n`, 'own.jsonl')).toThrow(`own.jsonl, line 3: ${why}`);
});

test.each(['{', '[]', '7', 'null'])('G4.01 the line %s is refused as no object', (text) => {
  expect(() => readPrices(text, 'own.jsonl')).toThrow('own.jsonl, line 1: is no JSON object.');
});
