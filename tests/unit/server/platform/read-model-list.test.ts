import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { type ListedServer, readModelList } from '../../../../server/platform/model-lists/read-model-list.ts';

/** Answers by address; others are missing. Remembers the addresses. */
function serverWith(replies: Record<string, unknown>) {
  const asked: string[] = [];
  const call = (async (address: string, request: { body?: string } = {}) => {
    asked.push(`${address}${request.body ?? ''}`);
    const reply = replies[address];
    const text = JSON.stringify(reply ?? {});
    return {
      status: reply === undefined ? 404 : 200,
      ok: reply !== undefined,
      headers: {},
      text: async () => text,
      body: [Buffer.from(text)],
    };
  }) as unknown as Egress;
  return { asked, call };
}

async function listOf(provider: ListedServer['provider'], address: string, replies: Record<string, unknown>) {
  const { asked, call } = serverWith(replies);
  const server = { provider, address, apiKey: 'key', headers: null };
  return { ...(await readModelList(server, call, new AbortController().signal)), asked };
}

const host = 'https://models.example';

test.each([
  ['an address without a version', host],
  ['an address with one', `${host}/v1`],
  ['a pasted endpoint', `${host}/v1/chat/completions`],
])('M3.13 %s has its list below the version', async (_, address) => {
  const { models } = await listOf('compatible', address, { [`${host}/v1/models`]: { data: [{ id: 'one' }] } });
  expect(models).toEqual([{ id: 'one' }]);
});

test('M3.13 the query of an address stays behind the path of its list', async () => {
  const replies = { [`${host}/openai/v1/models?api-version=2024-10-21`]: { data: [{ id: 'one' }] } };
  expect((await listOf('azure', `${host}/openai/v1?api-version=2024-10-21`, replies)).models).toEqual([{ id: 'one' }]);
});

test('M3.13 OpenRouter tells windows, tools, images and prices', async () => {
  const data = [
    {
      ...{ id: 'a/b', context_length: 200_000, supported_parameters: ['tools'], architecture: { input_modalities: ['text', 'image'] } },
      pricing: { prompt: '0.000003', completion: '0.000015' },
    },
    { id: 'auto', pricing: { prompt: '-1', completion: '-1' }, supported_parameters: [] },
  ];
  const { models } = await listOf('openrouter', `${host}/api/v1`, { [`${host}/api/v1/models`]: { data } });
  const price = { currency: 'USD', input: 3_000_000, output: 15_000_000 };
  expect(models).toEqual([
    { id: 'a/b', context: 200_000, tools: true, sees: true, price },
    { id: 'auto', tools: false },
  ]);
});

test('M3.13 OpenRouter’s prices of the cache are read, and those of long prompts; a price that is not understood is none', async () => {
  const base = { prompt: '0.000002', completion: '0.00001', input_cache_read: '0.0000001', input_cache_write: '0.0000025' };
  const priced = (id: string, pricing: object) => ({ id, pricing });
  const data = [
    priced('cached', base),
    priced('long', { ...base, overrides: [{ min_prompt_tokens: 272_001, prompt: '0.000004', completion: '0.000015' }] }),
    priced('hours', { ...base, overrides: [{ utc_start: '0100', utc_end: '0400', prompt: '0.000003' }] }),
    priced('odd', { ...base, overrides: ['weekends'] }),
    priced('depends', { ...base, overrides: [{ min_prompt_tokens: 9, prompt: '-1' }] }),
  ];
  const { models } = await listOf('openrouter', `${host}/api/v1`, { [`${host}/api/v1/models`]: { data } });
  const price = { currency: 'USD', input: 2_000_000, cachedInput: 100_000, cacheWrite: 2_500_000, output: 10_000_000 };
  const { currency: _, ...rates } = price;
  expect(models).toEqual([
    { id: 'cached', price },
    { id: 'long', price: { ...price, steps: [{ above: 272_000, ...rates, input: 4_000_000, output: 15_000_000 }] } },
    { id: 'hours', price: { ...price, input: 3_000_000 } },
    { id: 'odd' },
    { id: 'depends' },
  ]);
});

test('M3.13 Ollama is asked for its models, and for the window and the abilities of each', async () => {
  const { models, asked } = await listOf('ollama', 'http://127.0.0.1:11434/v1', {
    'http://127.0.0.1:11434/api/tags': { models: [{ name: 'qwen3:8b' }] },
    'http://127.0.0.1:11434/api/show': { capabilities: ['completion', 'tools'], model_info: { 'qwen3.context_length': 40_960 } },
  });
  expect(models).toEqual([{ id: 'qwen3:8b', context: 40_960, tools: true, sees: false }]);
  expect(asked).toContain('http://127.0.0.1:11434/api/show{"model":"qwen3:8b"}');
});

test('M3.13 LM Studio tells windows in its own list, and an older one has the compatible list', async () => {
  const own = {
    'http://127.0.0.1:1234/api/v0/models': {
      data: [
        { id: 'gemma', type: 'vlm', max_context_length: 8_192 },
        { id: 'nomic', type: 'embeddings' },
      ],
    },
  };
  expect((await listOf('lmstudio', 'http://127.0.0.1:1234/v1', own)).models).toEqual([{ id: 'gemma', context: 8_192, sees: true }]);
  const older = { 'http://127.0.0.1:1234/v1/models': { data: [{ id: 'gemma' }] } };
  expect((await listOf('lmstudio', 'http://127.0.0.1:1234/v1', older)).models).toEqual([{ id: 'gemma' }]);
});

test('M3.13 Google lists models that write, by pages, without the prefix of their names', async () => {
  const page = (models: unknown[], nextPageToken?: string) => ({ models, nextPageToken });
  const at = `${host}/v1beta/models?pageSize=1000`;
  const { models } = await listOf('google', `${host}/v1beta`, {
    [at]: page([{ name: 'models/gemini-4-argon', inputTokenLimit: 1_048_576, supportedGenerationMethods: ['generateContent'] }], 'next'),
    [`${at}&pageToken=next`]: page([
      { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemini-flash' },
    ]),
  });
  expect(models).toEqual([{ id: 'gemini-4-argon', context: 1_048_576 }, { id: 'gemini-flash' }]);
});
