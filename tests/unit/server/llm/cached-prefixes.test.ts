import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { countTokens } from '../../../../server/platform/llm/fit/count-tokens.ts';
import type { ModelRequest } from '../../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../../server/platform/llm/prompt.ts';
import { sdkModel } from '../../../../server/platform/llm/sdk/sdk-model.ts';
import { cachingProvider } from '../../../support/llm/caching-provider.ts';
import { developer, developerReply, runDeveloperStep } from '../../../support/llm/developer-step.ts';
import { sampleText } from '../../../support/llm/sample-step.ts';

const turnsOfStep = 20;
/** The part of a developer's input that is to come from the provider's cache. */
const goal = 0.7;

const protocols = [
  ['chat', 'openrouter', 'https://models.example.com/v1'],
  ['anthropic', 'anthropic', 'https://models.example.com'],
] as const;

test.each(protocols)(
  'M4.12 in a developer’s step of 20 turns at least 70 % of the input is cached: %s',
  async (protocol, provider, baseUrl) => {
    const server = cachingProvider(protocol, developerReply);
    await runDeveloperStep(sdkModel({ provider, baseUrl, apiKey: 'key', model: 'm', call: server.call }), turnsOfStep);
    expect(server.inputs).toHaveLength(turnsOfStep);
    expect(server.share(), `${protocol}: ${(100 * server.share()).toFixed(1)} % of the input was cached`).toBeGreaterThanOrEqual(goal);
  },
);

test.each(protocols)('M4.12 the same is true where prompts are shortened to fit a window: %s', async (protocol, provider, baseUrl) => {
  const server = cachingProvider(protocol, developerReply);
  const left = await runDeveloperStep(sdkModel({ provider, baseUrl, apiKey: 'key', model: 'm', call: server.call }), turnsOfStep, 14_000);
  expect(left.calls).toBeGreaterThan(5);
  expect(server.share(), `${protocol}: ${(100 * server.share()).toFixed(1)} % of the input was cached`).toBeGreaterThanOrEqual(goal);
});

test.each(protocols)(
  'M4.11 agents of a run share the beginning of their prompts up to the end of the files: %s',
  async (protocol, provider, baseUrl) => {
    const server = cachingProvider(protocol, () => ({ text: 'Done.' }));
    const model = sdkModel({ provider, baseUrl, apiKey: 'key', model: 'm', call: server.call });
    const ask = (request: ModelRequest) => model.converse(conversationOf(request), new AbortController().signal, () => {});
    await ask(developer);
    await ask({ ...developer, earlier: [{ title: 'QA', role: 'qa', text: sampleText(500, 'found') }], task: 'Another task' });
    const files = countTokens(conversationOf(developer).messages[1]?.content.slice(0, conversationOf(developer).messages[1]?.stable) ?? '');
    expect(files).toBeGreaterThan(2_000);
    expect(server.inputs[1]?.cached).toBeGreaterThan(0.9 * files);
  },
);

test('M4.12 Claude through OpenRouter is told the borders of its cache, and other models there are not', async () => {
  const bodyOf = async (model: string, extraBody: Record<string, unknown> | null = null) => {
    const bodies: Record<string, unknown>[] = [];
    const call: Egress = async (_address, request) => {
      bodies.push(JSON.parse(String(request?.body)));
      throw new Error('No answer is needed.');
    };
    const baseUrl = 'https://openrouter.ai/api/v1';
    const asked = sdkModel({ provider: 'openrouter', baseUrl, apiKey: 'key', model, call, connection: { headers: {}, extraBody } });
    await asked.converse(conversationOf(developer), new AbortController().signal, () => {});
    return bodies[0];
  };
  const border = { type: 'ephemeral' };
  expect(await bodyOf('anthropic/claude-sonnet-4.6')).toMatchObject({
    cache_control: border,
    messages: [{ role: 'system', content: [{ type: 'text', text: expect.any(String), cache_control: border }] }, { role: 'user' }],
  });
  expect(await bodyOf('anthropic/claude-sonnet-4.6', { cache_control: { ...border, ttl: '1h' } })).toMatchObject({
    cache_control: { ...border, ttl: '1h' },
  });
  const other = await bodyOf('openai/gpt-5.1');
  expect(other).not.toHaveProperty('cache_control');
  expect(other).toMatchObject({ messages: [{ role: 'system', content: expect.any(String) }, { role: 'user' }] });
});

test('M4.12 OpenAI finds the prompts of a run by its key', async () => {
  const bodies: object[] = [];
  const call: Egress = async (_address, request) => {
    bodies.push(JSON.parse(String(request?.body)));
    throw new Error('No answer is needed.');
  };
  const model = sdkModel({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'key', model: 'gpt-5', call });
  await model.converse(conversationOf({ ...developer, cacheKey: 'run' }), new AbortController().signal, () => {});
  expect(bodies).toMatchObject([{ prompt_cache_key: 'run' }]);
});
