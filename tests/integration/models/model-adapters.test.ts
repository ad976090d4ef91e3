import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../../server/platform/egress/egress.ts';
import { AnswersTooLarge } from '../../../server/platform/llm/call-limits.ts';
import { createAccessTokens } from '../../../server/platform/llm/gigachat/access-tokens.ts';
import { gigaChatModel } from '../../../server/platform/llm/gigachat/gigachat-model.ts';
import type { Conversation, ModelAdapter, ModelRequest } from '../../../server/platform/llm/language-model.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { toLanguageModel } from '../../../server/platform/llm/to-language-model.ts';
import { leftOutArguments } from '../../../server/platform/llm/tool-calls.ts';
import { anthropicProtocol } from '../../support/model-protocols/anthropic-protocol.ts';
import { gigaChatProtocol } from '../../support/model-protocols/gigachat-protocol.ts';
import { openAiProtocol } from '../../support/model-protocols/openai-protocol.ts';
import type { Protocol } from '../../support/model-protocols/protocol.ts';
import { yandexProtocol } from '../../support/model-protocols/yandex-protocol.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

type Place = { baseUrl: string; call: Egress };
type Provider = {
  name: string;
  protocol: Protocol;
  /** The provider's model, called with the key below. */
  make: (place: Place) => ModelAdapter;
  path: string;
  /** The header that carries the key. */
  carries: Record<string, string>;
  model: string;
  /** Of its 20 tokens of input, those that it says it has read from its cache. */
  cachedTokens?: number;
};

const key = 'sk-secret-1234567890';
const heldToken = { ok: true, value: { value: key, lifeMs: 1_000_000 } } as const;

const providers: Provider[] = [
  {
    name: 'openai',
    protocol: openAiProtocol,
    make: (place) => sdkModel({ provider: 'openai', apiKey: key, model: 'test-model', ...place }),
    path: '/v1/chat/completions',
    carries: { authorization: `Bearer ${key}` },
    model: 'test-model',
  },
  {
    name: 'anthropic',
    protocol: anthropicProtocol,
    make: (place) => sdkModel({ provider: 'anthropic', apiKey: key, model: 'claude-haiku-4-5', ...place }),
    path: '/v1/messages',
    carries: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    model: 'claude-haiku-4-5',
    cachedTokens: 8,
  },
  {
    name: 'gigachat',
    protocol: gigaChatProtocol,
    make: (place) => {
      const tokens = createAccessTokens(
        async () => heldToken,
        () => 0,
      );
      return gigaChatModel({ key: 'Zm9yIHRva2Vucw==', tokens, model: 'GigaChat-2', ...place });
    },
    path: '/v1/chat/completions',
    carries: { authorization: `Bearer ${key}` },
    model: 'GigaChat-2',
  },
  {
    name: 'yandexgpt',
    protocol: yandexProtocol,
    make: (place) => sdkModel({ provider: 'yandexgpt', apiKey: key, model: 'gpt://folder/yandexgpt/latest', ...place }),
    path: '/v1/chat/completions',
    carries: { authorization: `Api-Key ${key}` },
    model: 'gpt://folder/yandexgpt/latest',
  },
];

/** The text of a message: Anthropic's has parts. */
function textOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text).join('') : content;
}

/** Answers without an end in the words of each protocol. */
const hostileWords = [
  { hostile: 'longText', code: 'model_answer_too_long' },
  { hostile: 'longThoughts', code: 'model_answer_too_long' },
  { hostile: 'endlessText', code: 'model_answer_too_long' },
  { hostile: 'endlessEmptyDeltas', code: 'model_answer_too_long' },
] as const;
/** Answers whose bytes no protocol comes to see: one reader ends them, so one provider is enough. */
const hostileBytes = [
  { hostile: 'endlessLine', code: 'model_answer_too_long' },
  { hostile: 'endlessEmptyLines', code: 'model_answer_too_long' },
  { hostile: 'endlessBody', code: 'model_answer_too_long' },
  { hostile: 'deepJson', code: 'model_answer_too_long' },
  { hostile: 'endlessHeaders', code: 'model_bad_answer' },
] as const;

const turn: ModelRequest = {
  role: 'Developer',
  agentTitle: 'Developer',
  systemPrompt: 'You are a developer.',
  task: 'Write a page',
  earlier: [{ title: 'Assistant', role: 'assistant', text: 'Clarified.' }],
  contexts: [],
  language: 'en',
  temperature: 0.3,
  maxTokens: 500,
  idempotencyKey: 'execution:step',
};

const talk: Conversation = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'And now?' },
  ],
  speaker: { role: 'QA', agentTitle: 'QA', language: 'en' },
  temperature: 0,
  maxTokens: 100,
  idempotencyKey: 'talk',
};

describe.each(providers)('a model of $name', ({ protocol, make, path, carries, model, name, cachedTokens }) => {
  let models: ModelServer;
  beforeAll(async () => {
    models = await startModelServer(protocol);
  });
  afterAll(() => models.close());
  beforeEach(() => {
    models.calls.length = 0;
  });

  const at = (baseUrl: string, idleTimeoutMs?: number) =>
    make({ baseUrl, call: createEgress({ allowPrivate: true, proxies: null, ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }) }) });
  const local = (idleTimeoutMs?: number) => at(`${models.url}/`, idleTimeoutMs);
  const converse = (
    adapter = local(),
    signal = new AbortController().signal,
    onText: (text: string, reasoning: string) => void = () => {},
  ) => adapter.converse(talk, signal, onText);
  const failureOf = async (adapter = local()) => {
    const outcome = await converse(adapter);
    if (outcome.ok) throw new Error('The call did not fail.');
    return outcome.error;
  };

  test('R25.01 the adapter sends an agent’s turn with settings and key, and the answer streams in', async () => {
    models.answer({ kind: 'text', text: 'A page, piece by piece, of some length.' });
    const texts: string[] = [];
    const outcome = await toLanguageModel(local()).answer(turn, new AbortController().signal, (text) => texts.push(text));
    expect(outcome).toEqual({
      ok: true,
      value: {
        text: 'A page, piece by piece, of some length.',
        thoughts: null,
        finish: 'stop',
        written: { text: 'A page, piece by piece, of some length.', thoughts: null },
        usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30, ...(cachedTokens && { cachedTokens }) },
      },
    });
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('A page, piece by piece, of some length.');
    const [call] = models.calls;
    expect(call?.path).toBe(path);
    expect(call?.body).toMatchObject({ model, temperature: 0.3, max_tokens: 500, stream: true });
    expect(call?.headers).toMatchObject({ ...carries, 'idempotency-key': 'execution:step' });
    expect(JSON.stringify(call?.body)).toContain('You are a developer.');
    const asked = call?.body.messages.at(-1);
    expect(asked).toMatchObject({ role: 'user' });
    for (const part of ['Write a page', 'Clarified.', '# Answer', 'path=', 'not executed']) expect(textOf(asked?.content)).toContain(part);
  });

  test('G8.16 a server that repeats the key gives it to no reader, though its text comes in pieces', async () => {
    models.answer({ kind: 'text', text: `You have sent ${key}, and ${Buffer.from(key).toString('base64')}.` });
    const texts: string[] = [];
    const outcome = await converse(local(), undefined, (text) => texts.push(text));
    expect(outcome).toMatchObject({ ok: true, value: { text: expect.stringMatching(/^You have sent \*\*\*, and \*\*\*.{0,4}\.$/) } });
    expect(outcome.ok && texts.join('')).toBe(outcome.ok && outcome.value.text);
  });

  test('R25.01 the adapter sends the messages of a free conversation in their order', async () => {
    models.answer({ kind: 'text', text: '# Answer\nNow.' });
    expect(await converse()).toMatchObject({ ok: true, value: { text: '# Answer\nNow.', thoughts: null } });
    const { system, messages = [], ...settings } = models.calls[0]?.body ?? {};
    const heard = system === undefined ? messages : [{ role: 'system', content: system }, ...messages];
    expect(heard.map(({ role, content }) => ({ role, content: textOf(content) }))).toEqual(talk.messages);
    expect(settings).toMatchObject({ temperature: 0, max_tokens: 100 });
  });

  test('R46.01 the adapter separates the reasoning of a model from its text', async () => {
    models.answer({ kind: 'text', thoughts: 'First I weigh it up.', text: 'So:\n\n# Answer\n\nA page.' });
    const streamed: string[] = [];
    const outcome = await toLanguageModel(local()).answer(turn, new AbortController().signal, (text) => streamed.push(text));
    expect(outcome).toMatchObject({ ok: true, value: { text: 'A page.', thoughts: 'First I weigh it up.' } });
    expect(streamed.join('')).toBe('First I weigh it up.\n\nSo:\n\n# Answer\n\nA page.');
    const parts: [string, string][] = [];
    await converse(local(), undefined, (text, reasoning) => parts.push([text, reasoning]));
    expect(parts[0]?.[0]).toBe('');
    expect(parts.map(([text]) => text).join('')).toBe('So:\n\n# Answer\n\nA page.');
    expect(parts.map(([, reasoning]) => reasoning).join('')).toBe('First I weigh it up.');
  });

  test('R46.01 for a model without reasoning the text before the answer section becomes its thoughts', async () => {
    models.answer({ kind: 'text', text: 'First I weigh it up.\n\n# Answer\n\nA page.' });
    const outcome = await toLanguageModel(local()).answer(turn, new AbortController().signal, () => {});
    expect(outcome).toMatchObject({ ok: true, value: { text: 'A page.', thoughts: 'First I weigh it up.' } });
  });

  test('R25.01 the adapter reports that the token limit has cut the text off', async () => {
    models.answer({ kind: 'text', text: 'Half a', end: 'length' });
    expect(await converse()).toMatchObject({ ok: true, value: { text: 'Half a', finish: 'length' } });
  });

  test('R25.01 a model may answer at once instead of streaming', async () => {
    models.answer({ kind: 'json', text: 'All at once' });
    expect(await converse()).toMatchObject({ ok: true, value: { text: 'All at once', finish: 'stop' } });
  });

  test.each([
    [400, 'model_rejected', false],
    [401, 'model_unauthorized', false],
    [403, 'model_unauthorized', false],
    [404, 'model_not_found', false],
    [408, 'model_timeout', false],
    [413, 'model_rejected', false],
    [422, 'model_rejected', false],
    [429, 'model_rate_limited', true],
    [500, 'model_unavailable', true],
    [502, 'model_unavailable', true],
    [503, 'model_unavailable', true],
    [529, 'model_unavailable', true],
  ] as const)('W8.04 status %i means %s, with the reason and without the key', async (status, code, transient) => {
    models.answer({ kind: 'status', status, message: `Because ${key} and Bearer abc.` });
    const failure = await failureOf();
    expect(failure).toMatchObject({ code, transient, status });
    expect(failure.detail).toBe('Because *** and Bearer ***');
  });

  test('W8.04 the reason can be stored with any content and any cut', async () => {
    models.answer({ kind: 'status', status: 429, message: `No\0body is in. ${'😀'.repeat(200)}` });
    const { detail = '' } = await failureOf();
    expect(detail).toMatch(/^No body is in. 😀/);
    expect([detail.length, detail.isWellFormed()]).toEqual([300, true]);
  });

  test('W8.04 the adapter passes on how long the server asks to wait', async () => {
    models.answer({ kind: 'status', status: 429, retryAfter: '7' });
    expect(await failureOf()).toMatchObject({ code: 'model_rate_limited', retryAfterMs: 7_000 });
  });

  test('W8.04 a redirect is not followed', async () => {
    models.answer({ kind: 'status', status: 307 });
    expect((await failureOf()).code).toMatch(/^model_(bad_answer|rejected)$/);
    expect(models.calls).toHaveLength(1);
  });

  test('W8.04 garbage is a bad answer, and an answer without text an empty one', async () => {
    models.answer({ kind: 'garbage' });
    expect(await failureOf()).toMatchObject({ code: 'model_bad_answer', transient: false });
    for (const reply of [
      { kind: 'empty', ended: true },
      { kind: 'empty', ended: false },
      { kind: 'json', text: '  ' },
      { kind: 'text', text: '', thoughts: 'Only thinking.' },
    ] as const) {
      models.answer(reply);
      expect(await failureOf()).toMatchObject({ code: 'model_empty_answer', transient: false });
    }
  });

  test('W8.04 an answer that the provider blocked is refused', async () => {
    models.answer({ kind: 'text', text: 'I cannot speak of this.', end: 'refused' });
    expect(await failureOf()).toMatchObject({ code: 'model_declined', transient: false, detail: 'I cannot speak of this.' });
  });

  test('W8.04 the protocol’s own end ends the answer, and an open connection is closed', async () => {
    models.answer({ kind: 'open', text: 'All of it' });
    expect(await converse(local(30_000))).toMatchObject({ ok: true, value: { text: 'All of it', finish: 'stop' } });
    await models.aborted(1);
  });

  const isFirst = name === providers[0]?.name;
  test.each([...hostileWords, ...(isFirst ? hostileBytes : [])])(
    'W8.04 an endless answer ends at its limits: $hostile',
    async ({ hostile, code }) => {
      models.answer({ kind: 'hostile', hostile });
      expect(await failureOf()).toMatchObject({ code, transient: false });
      if (hostile.startsWith('endless')) await models.aborted(1);
    },
  );

  test.each(['longText', 'longThoughts', ...(isFirst ? (['endlessLine', 'endlessBody'] as const) : [])] as const)(
    'R23.01 an answer whose account holds too much ends before its own limit, and may be repeated: %s',
    async (hostile) => {
      models.answer({ kind: 'hostile', hostile });
      let held = 0;
      const hold = (units: number) => {
        held += units;
        if (held > 300_000) throw new AnswersTooLarge();
      };
      const outcome = await local().converse(talk, new AbortController().signal, () => {}, undefined, hold);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'answers_too_large', transient: true } });
      if (hostile.startsWith('endless')) await models.aborted(1);
      models.answer({ kind: 'calls', calls: [{ id: '1', name: 'read', arguments: JSON.stringify({ path: 'x'.repeat(150_000) }) }] });
      held = 0;
      await local().converse(talk, new AbortController().signal, () => {}, undefined, hold);
      expect(held).toBeGreaterThan(150_000);
    },
  );

  test.each(['drip', 'dripHeaders', 'dripRefusal'] as const)('W8.04 one byte at a time does not hold a call open: %s', async (hostile) => {
    models.answer({ kind: 'hostile', hostile });
    const call = createEgress({ allowPrivate: true, proxies: null, idleTimeoutMs: 30_000, totalTimeoutMs: 300 });
    expect(await failureOf(make({ baseUrl: models.url, call }))).toMatchObject({ code: 'model_timeout', transient: false });
  });

  test('W8.04 an endless error response keeps its status', async () => {
    models.answer({ kind: 'hostile', hostile: 'longRefusal' });
    expect(await failureOf()).toMatchObject({ code: 'model_unauthorized', status: 401 });
    await models.aborted(1);
  });

  test.each([
    { kind: 'hangUp' },
    { kind: 'cut', text: 'Half a' },
    { kind: 'half', text: 'Half a' },
    { kind: 'failure', text: 'Half a', message: 'Overloaded' },
  ] as const)('W8.04 a cut connection is worth another try: %o', async (reply) => {
    models.answer(reply);
    const failure = await failureOf();
    expect(failure).toMatchObject({ code: 'model_unavailable', transient: true });
    if (reply.kind === 'failure') expect(failure.detail).toBe('Overloaded');
  });

  test('W8.04 a missing server is unreachable, by port and by name', async () => {
    expect(await failureOf(at('http://127.0.0.1:1/v1'))).toMatchObject({ code: 'model_unreachable', transient: true });
    expect((await failureOf(at('http://no-such-host.invalid/v1'))).code).toBe('model_unreachable');
  });

  test('W8.04 silence ends with a time-out, before the first word and after it', async () => {
    models.answer({ kind: 'hang' });
    expect(await failureOf(local(50))).toMatchObject({ code: 'model_timeout', transient: false });
    models.answer({ kind: 'stall', text: 'Half a' });
    expect(await failureOf(local(50))).toMatchObject({ code: 'model_timeout', transient: false });
  });

  test('R25.01 a closed address is refused, and nothing is sent', async () => {
    const closed = make({ baseUrl: models.url, call: createEgress({ allowPrivate: false, proxies: null }) });
    expect(await failureOf(closed)).toMatchObject({ code: 'model_host_refused', transient: false });
    expect(models.calls).toHaveLength(0);
  });

  test.each(['hang', 'stall'] as const)('W4.08 an abort ends the call at once on both sides, also in the middle: %s', async (kind) => {
    models.answer(kind === 'hang' ? { kind } : { kind, text: 'Half a' });
    const stop = new AbortController();
    const asked = converse(local(), stop.signal, () => stop.abort('stopped'));
    await models.call(1);
    if (kind === 'hang') stop.abort('stopped');
    expect(await asked).toMatchObject({ ok: false, error: { code: 'aborted', transient: false } });
    await models.aborted(1);
  });

  describe('with tools', () => {
    const tools: Conversation['tools'] = [
      { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
    ];
    const first = { id: 'call_a', name: 'read_file', arguments: '{"path":"src/a ☃.ts"}' };
    const second = { id: 'call_b', name: 'read_file', arguments: '{"path":"b.ts"}' };
    const asked = name === 'gigachat' ? [first] : [first, second];
    const ask = (conversation: Conversation) => local().converse(conversation, new AbortController().signal, () => {});

    test.each([false, true])('G3.01 a model calls tools, and gets their results (without a stream: %s)', async (isWhole) => {
      models.answer({ kind: 'calls', calls: asked, text: 'Let me look.', isWhole });
      expect(await ask({ ...talk, tools })).toMatchObject({ ok: true, value: { text: 'Let me look.', calls: asked, finish: 'stop' } });
      models.answer({ kind: 'calls', calls: [{ ...first, arguments: '{}' }], isWhole });
      expect(await ask({ ...talk, tools })).toMatchObject({ ok: true, value: { text: '', calls: [{ ...first, arguments: '{}' }] } });
      const results = asked.map((call, index) => ({ ...call, result: `Content ${index}`, isError: index === 1 }));
      models.answer({ kind: 'text', text: 'Read.' });
      const answered = await ask({ ...talk, tools, turns: [{ text: 'Let me look.', calls: results }] });
      expect(answered).toMatchObject({ ok: true, value: { text: 'Read.' } });
      expect(answered.ok && 'calls' in answered.value).toBe(false);
      const last = models.calls[0]?.body.messages.at(-1);
      expect([last?.role, textOf(last?.content)]).toEqual(['user', 'And now?']);
      expect(shapeOf(models.calls[2]?.body)).toEqual(shapes[name as keyof typeof shapes]);
    });

    test('G3.01 a conversation without tools is sent as before', async () => {
      models.answer({ kind: 'text', text: 'Now.' });
      await ask(talk);
      expect(models.calls[0]?.body).not.toHaveProperty('tools');
      expect(models.calls[0]?.body).not.toHaveProperty('functions');
    });

    test.runIf(name === 'openai' || name === 'anthropic')('G3.31 an image of a result is sent in the form of the protocol', async () => {
      models.answer({ kind: 'text', text: 'Seen.' });
      const calls = [{ ...first, result: 'A picture.', isError: false, images: [{ mime: 'image/png', base64: 'AAAA' }] }];
      expect(await ask({ ...talk, tools, turns: [{ text: '', calls }] })).toMatchObject({ ok: true });
      const last = models.calls[0]?.body.messages.at(-1);
      const forms = {
        openai: [
          { type: 'text', text: 'read_file (call_a):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
        anthropic: [
          {
            ...{ type: 'tool_result', tool_use_id: 'call_a', cache_control: { type: 'ephemeral' } },
            content: [
              { type: 'text', text: 'A picture.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
        ],
      };
      expect(last).toEqual({ role: 'user', content: forms[name as keyof typeof forms] });
    });

    test('G3.01 arguments past their limit are left out, and too many calls are an answer that is too long', async () => {
      const long = { ...first, arguments: JSON.stringify({ path: 'x'.repeat(300_000) }) };
      models.answer({ kind: 'calls', calls: [long], isWhole: true });
      expect(await ask({ ...talk, tools })).toMatchObject({ ok: true, value: { calls: [{ arguments: leftOutArguments }] } });
      if (name === 'gigachat') return;
      models.answer({ kind: 'calls', calls: Array.from({ length: 33 }, (_, at) => ({ ...second, id: `call_${at}` })) });
      expect(await ask({ ...talk, tools })).toMatchObject({ ok: false, error: { code: 'model_answer_too_long' } });
    });

    /** What the request says of tools, in the protocol's shape. */
    function shapeOf(body: (typeof models.calls)[number]['body'] | undefined) {
      const { messages = [], tools: offered, functions } = body ?? {};
      return {
        offered: offered ?? functions,
        turn: messages.slice(messages.findIndex(({ content }) => textOf(content) === 'And now?') + 1),
      };
    }
    const definition = { name: 'read_file', description: 'Reads a file.', parameters: tools[0]?.parameters };
    const chat = {
      offered: [{ type: 'function', function: definition }],
      turn: [
        {
          ...{ role: 'assistant', content: 'Let me look.' },
          tool_calls: asked.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } })),
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'Content 0' },
        { role: 'tool', tool_call_id: 'call_b', content: 'Content 1' },
      ],
    };
    const shapes = {
      openai: chat,
      yandexgpt: chat,
      gigachat: {
        offered: [definition],
        turn: [
          {
            ...{ role: 'assistant', content: 'Let me look.', functions_state_id: 'call_a' },
            function_call: { name: 'read_file', arguments: { path: 'src/a ☃.ts' } },
          },
          { role: 'function', name: 'read_file', content: '{"result":"Content 0"}' },
        ],
      },
      anthropic: {
        offered: [{ name: 'read_file', description: 'Reads a file.', input_schema: tools[0]?.parameters }],
        turn: [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Let me look.' },
              { type: 'tool_use', id: 'call_a', name: 'read_file', input: { path: 'src/a ☃.ts' } },
              { type: 'tool_use', id: 'call_b', name: 'read_file', input: { path: 'b.ts' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_a', content: 'Content 0' },
              { type: 'tool_result', tool_use_id: 'call_b', content: 'Content 1', is_error: true, cache_control: { type: 'ephemeral' } },
            ],
          },
        ],
      },
    };
  });

  test('R25.01 the adapter names the provider and the model of a text', () => {
    expect(local()).toMatchObject({ provider: name, model, simulated: false, host: new URL(models.url).host });
  });
});
