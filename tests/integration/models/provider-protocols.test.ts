import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../../server/platform/egress/egress.ts';
import type { Conversation, ModelAnswer, ModelTurn } from '../../../server/platform/llm/language-model.ts';
import { createModelTraits } from '../../../server/platform/llm/model-traits.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { anthropicMessages } from '../../support/model-protocols/strict/anthropic.ts';
import { azure, deepSeek, liteLlm, mistral, ollama, openRouter, vllm } from '../../support/model-protocols/strict/compatible.ts';
import { gemini } from '../../support/model-protocols/strict/google.ts';
import { openAiChat, openAiResponses } from '../../support/model-protocols/strict/openai.ts';
import { result, type StrictProvider } from '../../support/model-protocols/strict/strict-provider.ts';
import { type StrictServer, startStrictServer } from '../../support/model-protocols/strict/strict-server.ts';

const key = 'key-0123456789';
const tools: Conversation['tools'] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const talk: Conversation = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What does a.txt say?' },
  ],
  speaker: { role: 'qa', agentTitle: 'QA', language: 'en' },
  ...{ tools, temperature: 0.7, maxTokens: 2_000, idempotencyKey: 'step' },
};

const providers = [openAiResponses, openAiChat, anthropicMessages, gemini, deepSeek, mistral, ollama, openRouter, liteLlm, azure];

describe.each(providers)('the protocol of $name', (strict: StrictProvider) => {
  let server: StrictServer;
  beforeAll(async () => {
    server = await startStrictServer(strict.answer);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
  });

  const egress = createEgress({ allowPrivate: true, proxies: null });
  /** OpenAI's own server is another one here. */
  const call: Egress = (address, request) => egress(address.replace('https://api.openai.com', server.url), request);
  const connection =
    strict.provider === 'openrouter'
      ? { headers: { 'http-referer': 'https://artel.example' }, extraBody: { provider: { order: ['openai'] } } }
      : undefined;
  const talkOf = (turns: ModelTurn[] = []): Conversation => ({
    ...talk,
    ...(strict.provider === 'anthropic' && { temperature: null, effort: 'medium' }),
    turns,
  });
  const ask = (turns: ModelTurn[] = [], change: object = {}, traits = createModelTraits(null).of('account')) =>
    sdkModel({
      ...{ provider: strict.provider, model: strict.model, baseUrl: strict.address.replace('HOST', server.url), traits },
      ...{ apiKey: strict.provider === 'ollama' ? null : key, call, ...(connection && { connection }), ...change },
    }).converse(talkOf(turns), new AbortController().signal, () => {});
  const first = async (traits = createModelTraits(null).of('account')): Promise<ModelAnswer> => {
    const outcome = await ask([], {}, traits);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    return outcome.value;
  };
  const turnOf = ({ text, calls = [], opaque = '' }: ModelAnswer, kept = opaque): ModelTurn => ({
    ...{ text, opaque: kept || null },
    calls: calls.map((one) => ({ ...one, result, isError: false })),
  });

  test('M1.01 a tool is called and its result answered, with the turn as it came', async () => {
    const traits = createModelTraits(null).of('account');
    const begun = await first(traits);
    expect(begun).toMatchObject({ thoughts: strict.thoughts, finish: 'stop', usage: { promptTokens: 20 } });
    expect(begun.calls).toMatchObject([{ name: 'read_file' }]);
    expect(JSON.parse(begun.calls?.[0]?.arguments ?? '')).toEqual({ path: 'a.txt' });
    expect(server.asked).toHaveLength(strict.requests ?? 1);
    const ended = await ask([turnOf(begun)], {}, traits);
    expect(ended).toMatchObject({
      ok: true,
      value: { text: 'It says hello.', finish: 'stop', usage: { promptTokens: 20, completionTokens: 10, cachedTokens: 8 } },
    });
    expect(server.asked).toHaveLength((strict.requests ?? 1) + 1);
  });

  test('M1.01 another model, another provider and a malformed turn get text and calls only', async () => {
    const begun = await first();
    const from = (change: (source: string[]) => string[]) => {
      const kept = JSON.parse(begun.opaque ?? '{"from":["","",""]}');
      return JSON.stringify({ ...kept, from: change(kept.from) });
    };
    const dropped = [
      'not JSON',
      '{}',
      from(([provider = '', host = '']) => [provider, host, 'other']),
      from(([, host = '', model = '']) => ['other', host, model]),
    ];
    for (const opaque of dropped) {
      const outcome = await ask([turnOf(begun, opaque)]);
      if (strict.wantsBack === null) expect(outcome).toMatchObject({ ok: true });
      else expect(outcome).toMatchObject({ ok: false, error: { status: 400, detail: expect.stringContaining(strict.wantsBack) } });
    }
  });
});

describe('vLLM without a parser of tools', () => {
  test('M1.02 vLLM without a tool parser refuses tools, and answers without them', async () => {
    const server = await startStrictServer(({ body }) => vllm.answer(body));
    try {
      const model = sdkModel({
        provider: 'compatible',
        model: 'local',
        baseUrl: server.url,
        apiKey: null,
        call: createEgress({ allowPrivate: true, proxies: null }),
      });
      const signal = new AbortController().signal;
      expect(await model.converse(talk, signal, () => {})).toMatchObject({ ok: false, error: { code: 'model_refuses_tools' } });
      expect(await model.converse({ ...talk, tools: [] }, signal, () => {})).toMatchObject({ ok: true, value: { text: 'It says hello.' } });
    } finally {
      await server.close();
    }
  });
});
