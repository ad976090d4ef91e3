import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContentPart, LLMock } from '@copilotkit/aimock';
import { createServer } from '@dwmkerr/mock-llm/dist/server.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEgress, type Egress } from '../../../server/platform/egress/egress.ts';
import type { ModelTurn } from '../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../server/platform/llm/prompt.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { sampleRequest } from '../../support/llm/sample-step.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer(() => ({ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }), {
  ownProcess: 'A worker would load its modules for this file alone.',
});
const ann = setUpAccount(server);
const key = 'key-of-an-agent-0123456789';

/** Gives agents a model at this address. */
async function configure(settings: object, ...names: string[]): Promise<void> {
  for (const name of names) {
    const { status } = await ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, { apiKey: key, ...settings });
    expect(status).toBe(200);
  }
}

describe('mock-llm', () => {
  let mock: Server;
  let url: string;
  const answer = {
    id: 'chatcmpl-{{timestamp}}',
    object: 'chat.completion',
    model: '{{jmes request body.model}}',
    choices: [
      {
        message: { role: 'assistant', content: 'I weigh it up.\n\n# Answer\n\nA plan of {{jmes request body.model}}.' },
        finish_reason: 'stop',
      },
    ],
  };

  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const rules = [{ path: '/v1/chat/completions', match: '@', response: { status: 200, content: JSON.stringify(answer) } }];
    const app = createServer({ streaming: { chunkSize: 20, chunkIntervalMs: 1 }, rules }, '127.0.0.1', 0);
    mock = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    url = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    mock?.closeAllConnections();
    await new Promise((resolve) => mock?.close(resolve));
    vi.restoreAllMocks();
  });

  test.each(['compatible', 'openai'] as const)(
    'M1.80 a whole run of two agents is answered by mock-llm, as a model of %s',
    async (providerType) => {
      await configure({ providerType, model: 'a-model', baseUrl: `${url}/v1/chat/completions` }, 'developer', 'qa');
      const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Plan a bakery');
      const run = await ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
      expect(run).toMatchObject({ status: 'completed', result: 'A plan of a-model.' });
      for (const step of run.steps)
        expect(step).toMatchObject({ provider: providerType, model: 'a-model', simulated: false, status: 'completed' });
    },
  );
});

describe('aimock', () => {
  let mock: LLMock;
  const textOf = (content: string | ContentPart[] | null | undefined) =>
    typeof content === 'string' ? content : JSON.stringify(content ?? '');

  beforeAll(async () => {
    mock = new LLMock({ port: 0 });
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 10,
      input_tokens: 100,
      output_tokens: 10,
      promptTokenCount: 100,
      candidatesTokenCount: 10,
    };
    mock.on(
      {
        predicate: ({ messages }) =>
          messages.some(({ role, content }) => role === 'tool' && textOf(content).includes('The price is 3 euros.')),
      },
      { content: '# Answer\n\nBread is 3 euros.', usage },
    );
    mock.on(
      { predicate: ({ tools = [] }) => tools.some((tool) => tool.function.name === 'read_file') },
      { content: 'I read the prices.', toolCalls: [{ name: 'read_file', arguments: '{"path":"prices.md"}' }], usage },
    );
    mock.on({ predicate: () => true }, { content: '# Answer\n\nWithout a file.', usage });
    await mock.start();
  });
  afterAll(() => mock?.stop());

  test.each([
    ['compatible', 'a-model', '/v1'],
    ['openai', 'gpt-4o', '/v1'],
    ['ollama', 'llama3.2', '/v1'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', '/api/v1'],
    ['anthropic', 'claude-sonnet-4-5', ''],
    ['google', 'gemini-2.5-flash', '/v1beta'],
  ])('M1.81 a whole run with a tool is answered by aimock, as a model of %s', async (providerType, model, path) => {
    await configure({ providerType, model, baseUrl: `${mock.url}${path}` }, 'developer');
    const inputSetId = await ann.giveFile('prices.md', 'The price is 3 euros.');
    const { id } = await ann.start(await ann.pipeline('developer'), 'What does bread cost?', { inputSetId });
    const run = await ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
    expect(run.error).toBeNull();
    expect(run).toMatchObject({ status: 'completed', result: 'Bread is 3 euros.' });
    expect(run.steps[0]).toMatchObject({ provider: providerType, simulated: false, toolUse: { calls: 1, read: 1 } });
    expect(run.steps[0]?.usage?.totalTokens).toBeGreaterThan(0);
  });

  test('M1.82 the Responses API of OpenAI with a tool is answered by aimock', async () => {
    const local = createEgress({ allowPrivate: true, proxies: null });
    const call: Egress = (address, request) => local(address.replace('https://api.openai.com', mock.url), request);
    const model = sdkModel({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: key, model: 'gpt-5', call });
    const ask = (turns: readonly ModelTurn[]) =>
      model.converse(conversationOf(sampleRequest(turns)), new AbortController().signal, () => {});
    const first = await ask([]);
    if (!first.ok || !first.value.calls) throw new Error(JSON.stringify(first));
    expect(first.value).toMatchObject({ text: 'I read the prices.', calls: [{ name: 'read_file', arguments: '{"path":"prices.md"}' }] });
    const calls = first.value.calls.map((one) => ({ ...one, result: 'The price is 3 euros.', isError: false }));
    const { text, opaque } = first.value;
    expect(await ask([{ text, calls, ...(opaque !== undefined && { opaque }) }])).toMatchObject({
      ok: true,
      value: { text: '# Answer\n\nBread is 3 euros.', finish: 'stop', usage: { totalTokens: 110 } },
    });
  });
});
