import { expect, test } from 'vitest';
import { createCallMeter } from '../../../../server/modules/budgets/index.ts';
import type { Answer, Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { gigaChatModel } from '../../../../server/platform/llm/gigachat/gigachat-model.ts';
import type { Conversation, ModelAdapter } from '../../../../server/platform/llm/language-model.ts';
import { sdkModel } from '../../../../server/platform/llm/sdk/sdk-model.ts';
import { toLanguageModel } from '../../../../server/platform/llm/to-language-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';
import { anthropicProtocol } from '../../../support/model-protocols/anthropic-protocol.ts';
import { gigaChatProtocol } from '../../../support/model-protocols/gigachat-protocol.ts';
import { openAiProtocol } from '../../../support/model-protocols/openai-protocol.ts';
import { yandexProtocol } from '../../../support/model-protocols/yandex-protocol.ts';

const at = { baseUrl: 'https://models.test/v1', model: 'm', apiKey: 'key' };
const token = { ok: true, value: { value: 'token', lifeMs: 60_000 } } as const;
const tokens = { tokenFor: async () => token, forget: () => {} };
const servers = [
  {
    ...{ server: 'openai', protocol: openAiProtocol, reported: null },
    adapter: (call: Egress) => sdkModel({ ...at, provider: 'openai', call }),
  },
  {
    ...{ server: 'anthropic', protocol: anthropicProtocol, reported: { promptTokens: 20, cachedTokens: 8 } },
    adapter: (call: Egress) => sdkModel({ ...at, provider: 'anthropic', call }),
  },
  {
    ...{ server: 'gigachat', protocol: gigaChatProtocol, reported: null },
    adapter: (call: Egress) => gigaChatModel({ baseUrl: at.baseUrl, key: 'key', tokens, model: 'm', call }),
  },
  {
    ...{ server: 'yandexgpt', protocol: yandexProtocol, reported: null },
    adapter: (call: Egress) => sdkModel({ ...at, provider: 'yandexgpt', call }),
  },
];

const question = 'What does a call cost that has failed?';
const conversation: Conversation = {
  messages: [{ role: 'user', content: question }],
  speaker: { role: 'developer', agentTitle: 'Developer', language: 'en' },
  ...{ temperature: 0, maxTokens: 100, idempotencyKey: 'key' },
};

test.each(servers)('G4.02 $server: an answer without a word is paid as its provider reports it', async ({ adapter, protocol }) => {
  const { code, rows, cost } = await callOnce(adapter, streaming(protocol.begin(), protocol.end('length')));
  expect(code).toBe('model_empty_answer');
  expect(rows).toMatchObject([{ state: 'settled', promptTokens: 20, completionTokens: 10 }]);
  expect(cost.isEstimated).toBeUndefined();
});

test.each(servers)(
  'G4.02 $server: an answer of unstorable characters is paid as its provider reports it',
  async ({ adapter, protocol }) => {
    const { code, rows } = await callOnce(adapter, streaming(protocol.begin(), protocol.text('\0'), protocol.end('stop')));
    expect(code).toBe('model_empty_answer');
    expect(rows).toMatchObject([{ state: 'settled', promptTokens: 20, completionTokens: 10 }]);
  },
);

test.each(servers)('G4.02 $server: a withheld answer is paid as its provider reports it', async ({ adapter, protocol }) => {
  const { code, rows } = await callOnce(adapter, streaming(protocol.begin(), protocol.end('refused')));
  expect(code).toBe('model_declined');
  expect(rows).toMatchObject([{ state: 'settled', promptTokens: 20, completionTokens: 10 }]);
});

test.each(servers)('G4.02 $server: an answer that ends before its first word is paid as estimated, and marked', async (server) => {
  const { adapter, protocol, reported } = server;
  const input = reported ?? { promptTokens: Math.ceil(question.length / 4), cachedTokens: 0 };
  const breaks = [
    streaming(protocol.begin()),
    streaming(protocol.begin(), Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    streaming(protocol.begin(), Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })),
    streaming(protocol.begin(), protocol.failure('overloaded')),
    streaming(protocol.begin(), 'data: {"malformed\n\n'),
  ];
  for (const broken of breaks) {
    const { ok, rows, cost } = await callOnce(adapter, broken);
    expect(ok).toBe(false);
    expect(rows).toMatchObject([{ state: 'estimated', ...input }]);
    expect(cost).toMatchObject({ amounts: [{ currency: 'USD' }], isEstimated: true });
  }
});

test.each(servers)('G4.02 $server: an answer that breaks off is paid with the words that arrived', async ({ adapter, protocol }) => {
  const { rows } = await callOnce(adapter, streaming(protocol.begin(), protocol.text('x'.repeat(400))));
  expect(rows).toMatchObject([{ state: 'estimated', completionTokens: 100 }]);
});

test.each(servers)('G4.02 $server: a call that was refused is not paid', async ({ adapter, protocol }) => {
  for (const status of [400, 401, 429, 500]) {
    const { ok, rows } = await callOnce(adapter, { ...streaming(JSON.stringify(protocol.refusal(status, 'no'))), status, ok: false });
    expect([ok, rows]).toEqual([false, []]);
  }
});

/** Makes one call of which each token costs a unit. */
async function callOnce(adapter: (call: Egress) => ModelAdapter, answer: Answer) {
  const model = toLanguageModel(adapter(async () => answer));
  const price = { currency: 'USD', input: 1_000_000, cachedInput: 1_000_000, output: 1_000_000, reasoning: 1_000_000 };
  const never = async () => {
    throw new Error('No budget applies.');
  };
  const ledger = { reserve: never, settle: never };
  const metering = { prices: { find: () => price }, ledger, limitsLentKeys: false, newId: () => 'id', now: () => new Date() };
  const payer = { userId: asOwner('ann'), projectId: null, step: null };
  const meter = createCallMeter(model, metering, { payer, hasBudget: false });
  const outcome = await meter.model.converse(conversation, new AbortController().signal, () => {});
  const { cost, spend: rows } = meter.take();
  return { ok: outcome.ok, code: outcome.ok ? null : outcome.error.code, rows, cost };
}

/** A streamed answer of these parts; an error cuts it off. */
function streaming(...parts: (string | Error)[]): Answer {
  const body = async function* () {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield Buffer.from(part);
    }
  };
  const text = async () => parts.join('');
  const scrubber = createScrubber([]);
  return { status: 200, ok: true, headers: { 'content-type': 'text/event-stream' }, body: body(), text, scrubber };
}
