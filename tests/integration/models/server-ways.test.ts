import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import type { Conversation } from '../../../server/platform/llm/language-model.ts';
import { createModelTraits, type ModelTraits } from '../../../server/platform/llm/model-traits.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import {
  type Answered,
  type Asked,
  eventsOf,
  namedEvents,
  type StrictServer,
  startStrictServer,
} from '../../support/model-protocols/strict/strict-server.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chunk = (delta: unknown, finish_reason: string | null = null, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const stop = chunk({}, 'stop');
const done = '[DONE]';
const said = (...texts: string[]) => eventsOf(...texts.map((content) => chunk({ content })), stop, done);

let script: (asked: Asked) => Answered;
let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer((asked) => script(asked));
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
});

const talk: Conversation = {
  messages: [{ role: 'user', content: 'When do they meet?' }],
  speaker: { role: 'qa', agentTitle: 'QA', language: 'en' },
  ...{ temperature: 0.7, maxTokens: 500, idempotencyKey: 'talk' },
};
const tools = [{ name: 'echo', description: 'Repeats a text.', parameters: { type: 'object', properties: { text: { type: 'string' } } } }];

type Asking = {
  provider?: 'openai' | 'anthropic' | 'google';
  conversation?: Conversation;
  traits?: ModelTraits;
  model?: string;
  extraBody?: Record<string, unknown>;
};

async function ask(
  answer: Answered | ((asked: Asked) => Answered),
  { provider = 'openai', conversation = talk, traits, model = 'm', extraBody }: Asking = {},
) {
  script = typeof answer === 'function' ? answer : () => answer;
  const call = createEgress({ allowPrivate: true });
  const made = sdkModel({
    provider,
    baseUrl: server.url,
    apiKey: 'key-0123456789',
    model,
    call,
    traits: traits ?? createModelTraits(null).of('account'),
    connection: { headers: {}, extraBody: extraBody ?? null },
  });
  return made.converse(conversation, new AbortController().signal, () => {});
}
const answerOf = async (...asking: Parameters<typeof ask>) => {
  const outcome = await ask(...asking);
  if (!outcome.ok) throw new Error(`No answer: ${JSON.stringify(outcome.error)}.`);
  return outcome.value;
};
const failureOf = async (...asking: Parameters<typeof ask>) => {
  const outcome = await ask(...asking);
  if (outcome.ok) throw new Error(`An answer: ${outcome.value.text}.`);
  return outcome.error;
};

describe('streams of chat completions', () => {
  const bytes = [...Buffer.from(eventsOf(chunk({ content: 'Привет, мир 🌍 修复' }), stop, done))].map((one) => Uint8Array.of(one));
  const raw = (text: string): Answered => ({ body: text });
  const json = JSON.stringify;
  test.each<[string, Answered, string]>([
    ['bytes one by one', { pieces: bytes }, 'Привет, мир 🌍 修复'],
    ['no space and CRLF', raw(`data:${json(chunk({ content: 'один' }))}\r\n\r\ndata:${json(stop)}\r\n\r\ndata:[DONE]\r\n\r\n`), 'один'],
    ['CR alone', raw(`data: ${json(chunk({ content: 'cr only' }))}\r\rdata: ${json(stop)}\r\rdata: [DONE]\r\r`), 'cr only'],
    ['a mark of byte order', raw(`\uFEFF${said('after it')}`), 'after it'],
    ['comments, names and ids', raw(`: PROCESSING\n\nevent: message\nid: 3\nretry: 10\n${said('after comments')}`), 'after comments'],
    [
      'no choices at first',
      raw(eventsOf({ choices: [], prompt_filter_results: [] }, chunk({ role: 'assistant', content: null, refusal: null })) + said('ok')),
      'ok',
    ],
    [
      'a delta of null',
      raw(
        eventsOf(
          { choices: [{ index: 0, delta: null, finish_reason: null }] },
          chunk({ content: 'ok' }),
          { choices: [{ index: 0, delta: null, finish_reason: 'stop' }] },
          done,
        ),
      ),
      'ok',
    ],
    ['an empty finish', raw(eventsOf(chunk({ content: 'abc ' }, ''), chunk({ content: 'def' }, ''), stop, done)), 'abc def'],
    ['the end marker without a finish', raw(eventsOf(chunk({ content: 'whole' }), done)), 'whole'],
    ['no end marker', raw(eventsOf(chunk({ content: 'whole' }), stop)), 'whole'],
    ['an open connection', { body: said('x'), stays: true }, 'x'],
    ['separators of lines in the text', raw(said('A\u2028B\u0085C')), 'A\u2028B\u0085C'],
    [
      'a second choice',
      raw(eventsOf(chunk({ content: 'mine' }), { choices: [{ index: 1, delta: { content: 'other' } }] }, stop, done)),
      'mine',
    ],
    ['two finishes', raw(eventsOf(chunk({ content: 'one' }, 'stop'), chunk({ content: '' }), { choices: [], usage }, done)), 'one'],
  ])('M2.02 streams of chat completions are read with %s', async (_name, answer, text) => {
    expect(await answerOf(answer)).toMatchObject({ text, thoughts: null, finish: 'stop' });
  });

  test('M2.02 thinking comes in fields, in parts and in tags, and usage in each chunk or as text', async () => {
    const parts = eventsOf(
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'let me think' }] }] }),
      chunk({ content: [{ type: 'text', text: 'After two hours.' }] }),
      chunk({ content: '' }, 'stop', { usage: { prompt_tokens: '10', completion_tokens: '5' } }),
    );
    const counted = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
    expect(await answerOf({ body: parts })).toMatchObject({ text: 'After two hours.', thoughts: 'let me think', usage: counted });
    const field = eventsOf(
      chunk({ content: null, reasoning_content: 'thinking ' }),
      chunk({ reasoning_content: 'more' }),
      chunk({ content: 'final' }),
      stop,
      done,
    );
    expect(await answerOf({ body: field })).toMatchObject({ text: 'final', thoughts: 'thinking more', usage: null });
    expect(await answerOf({ body: said('<th', 'ink>\nI should', ' say hi</th', 'ink>\n\n', 'Hello') })).toMatchObject({
      text: 'Hello',
      thoughts: 'I should say hi',
    });
    const each = eventsOf(
      chunk({ content: 'a' }, null, { usage: { ...usage, completion_tokens: 1 } }),
      chunk({ content: 'b' }, 'stop', { usage }),
      done,
    );
    expect(await answerOf({ body: each })).toMatchObject({ text: 'ab', usage: counted });
    expect(await answerOf({ body: eventsOf(chunk({ content: 'a' }, 'stop', { usage: 'many' }), done) })).toMatchObject({
      text: 'a',
      usage: null,
    });
  });

  const one = '{"text":"one"}';
  const two = '{"text":"two"}';
  const call = (id: string, args: unknown, index?: number) => ({
    index,
    id,
    type: 'function',
    function: { name: 'echo', arguments: args },
  });
  const more = (args: string) => ({ function: { arguments: args } });
  const calling = (...lists: object[][]) =>
    eventsOf(...lists.map((tool_calls) => chunk({ role: 'assistant', content: null, tool_calls })), chunk({}, 'tool_calls'), done);
  const both = [
    { id: 't1', name: 'echo', arguments: one },
    { id: 't2', name: 'echo', arguments: two },
  ];
  test.each<[string, string, object[]]>([
    ['a finish of a text', eventsOf(chunk({ tool_calls: [call('t1', one, 0)] }), stop, done), both.slice(0, 1)],
    ['no index', calling([call('t1', one)], [call('t2', two)]), both],
    [
      'no index, in pieces',
      calling([call('t1', one.slice(0, 5))], [more(one.slice(5))], [call('t2', two.slice(0, 5))], [more(two.slice(5))]),
      both,
    ],
    ['the same index', calling([call('t1', one, 0)], [call('t2', two, 0)]), both],
    ['arguments as an object', calling([call('t1', { text: 'one' }, 0)]), both.slice(0, 1)],
    ['no arguments', calling([call('t1', '', 0)]), [{ id: 't1', name: 'echo', arguments: '{}' }]],
    [
      'an empty id',
      calling([call('', '', 0)], [{ index: 0, id: '', type: '', function: { name: '', arguments: one } }]),
      [{ id: 'call_1', name: 'echo', arguments: one }],
    ],
    [
      'calls of null before them',
      eventsOf(chunk({ content: '', tool_calls: null }), chunk({ tool_calls: [call('t1', one, 0)] }, 'tool_calls'), done),
      both.slice(0, 1),
    ],
  ])('M2.03 call tools with %s', async (_name, body, calls) => {
    expect(await answerOf({ body }, { conversation: { ...talk, tools } })).toMatchObject({ calls, finish: 'stop' });
  });
});

describe('ends of an answer', () => {
  test('M2.04 a limit that cut the text, or a call in it, is told', async () => {
    expect(await answerOf({ body: eventsOf(chunk({ content: 'cut in the mid' }), chunk({}, 'length', { usage }), done) })).toMatchObject({
      text: 'cut in the mid',
      finish: 'length',
    });
    const half = { index: 0, id: 't1', function: { name: 'echo', arguments: '{"text":"o' } };
    const cut = await answerOf(
      { body: eventsOf(chunk({ tool_calls: [half] }), chunk({}, 'length'), done) },
      { conversation: { ...talk, tools } },
    );
    expect(cut).toMatchObject({ finish: 'length', calls: [{ id: 't1', arguments: '{"text":"o' }] });
  });

  test('M2.04 a limit that thinking has used up is named as that', async () => {
    const spent = { ...usage, completion_tokens_details: { reasoning_tokens: 5 } };
    expect(await failureOf({ body: eventsOf(chunk({ content: '' }, 'length', { usage: spent }), done) })).toMatchObject({
      code: 'model_thought_only',
      transient: false,
    });
    expect(await failureOf({ body: eventsOf(chunk({ reasoning_content: 'Hm' }), chunk({}, 'length'), done) })).toMatchObject({
      code: 'model_thought_only',
    });
  });

  test('M2.05 a refusal is the model’s own words, and not asked again', async () => {
    const refusal = 'I’m sorry, I cannot help with that.';
    expect(await failureOf({ body: eventsOf(chunk({ content: null, refusal }), stop, done) })).toMatchObject({
      code: 'model_declined',
      transient: false,
      detail: refusal,
    });
  });

  test.each<[string, Answered, object]>([
    [
      'an error as the whole answer',
      { body: { error: { message: 'Model not found: try another', code: 404 } } },
      { code: 'model_not_found', transient: false, detail: 'Model not found: try another' },
    ],
    [
      'an error in the stream',
      { body: eventsOf(chunk({ content: 'half ' }), { error: { message: 'The engine is out of memory', code: 500 } }, done) },
      { code: 'model_unavailable', transient: true, detail: 'The engine is out of memory' },
    ],
    [
      'a page',
      { type: 'text/html', body: '<!doctype html><title>Just a moment...</title>' },
      { code: 'model_bad_answer', transient: false, detail: 'Just a moment...' },
    ],
    [
      'a page of a proxy',
      { status: 502, type: 'text/html', body: '<html><title>502 Bad Gateway</title></html>' },
      { code: 'model_unavailable', transient: true, detail: '502 Bad Gateway' },
    ],
    [
      'an empty account',
      { status: 429, body: { error: { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' } } },
      { code: 'model_quota_spent', transient: false },
    ],
    [
      'a limit of Gemini’s free calls',
      {
        status: 429,
        body: [
          {
            error: {
              code: 429,
              message: 'You exceeded your current quota, please check your plan and billing details.',
              details: [{ retryDelay: '28s' }],
            },
          },
        ],
      },
      { code: 'model_rate_limited', transient: true, retryAfterMs: 28_000 },
    ],
    [
      'a limit that names an address',
      {
        status: 429,
        body: { error: { message: 'Rate limit reached. Add a payment method at https://platform.openai.com/account/billing.' } },
      },
      { code: 'model_rate_limited', transient: true },
    ],
    [
      'an empty account of Anthropic',
      { status: 400, body: { type: 'error', error: { message: 'Your credit balance is too low' } } },
      { code: 'model_quota_spent', transient: false },
    ],
    ['no payment', { status: 402, body: {} }, { code: 'model_quota_spent', transient: false }],
    [
      'a limit of calls',
      { status: 429, headers: { 'retry-after-ms': '1500' }, body: { error: { message: 'Rate limit reached' } } },
      { code: 'model_rate_limited', transient: true, retryAfterMs: 1_500 },
    ],
    [
      'too much work',
      { status: 529, headers: { 'retry-after': '2' }, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
      { code: 'model_unavailable', transient: true, retryAfterMs: 2_000, detail: 'Overloaded' },
    ],
    [
      'a list of details',
      { status: 422, body: { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] } },
      { code: 'model_rejected', detail: 'field required' },
    ],
    [
      'Google’s list',
      { status: 503, body: [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }] },
      { code: 'model_unavailable', transient: true, detail: 'The model is overloaded.' },
    ],
    [
      'a list of details with 200',
      { body: { detail: [{ msg: 'The model is loading.' }], code: 503 } },
      { code: 'model_unavailable', transient: true, detail: 'The model is loading.' },
    ],
    [
      'an error that is a message in the stream',
      { body: eventsOf({ message: 'Slow down.', code: 429 }) },
      { code: 'model_rate_limited', detail: 'Slow down.' },
    ],
    [
      'an error object',
      { body: { object: 'error', message: 'No such model.', code: 404 } },
      { code: 'model_not_found', detail: 'No such model.' },
    ],
    [
      'a list of errors',
      { status: 400, body: { success: false, errors: [{ message: 'No route.' }] } },
      { code: 'model_rejected', detail: 'No route.' },
    ],
    [
      'a finish that is a failure',
      { body: eventsOf(chunk({ content: 'half' }), chunk({}, 'abort'), done) },
      { code: 'model_unavailable', transient: true },
    ],
    ['no such address', { status: 404, type: 'text/plain', body: 'not found' }, { code: 'model_not_found', transient: false }],
  ])('M2.06 %s has its own failure', async (_name, answer, failure) => {
    expect(await failureOf(answer)).toMatchObject(failure);
  });
});

describe('refused parameters', () => {
  const refusing =
    (status: number, isRefused: (body: Asked['body']) => boolean, told: unknown) =>
    (asked: Asked): Answered =>
      isRefused(asked.body) ? { status, body: told } : { body: said('fine') };
  const sentence = (message: string, param: string | null = null) => ({ error: { message, type: 'invalid_request_error', param } });
  test.each<[string, ReturnType<typeof refusing>, object, string[]]>([
    [
      'a temperature by its field',
      refusing(400, (body) => body.temperature !== undefined, sentence('Unsupported value.', 'temperature')),
      { max_tokens: 500 },
      ['temperature'],
    ],
    [
      'a temperature in backticks',
      refusing(400, (body) => body.temperature !== undefined, sentence('`temperature` is deprecated for this model.')),
      { max_tokens: 500 },
      ['temperature'],
    ],
    [
      'a length with another name',
      refusing(
        400,
        (body) => body.max_tokens !== undefined,
        sentence(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          'max_tokens',
        ),
      ),
      { max_completion_tokens: 500, temperature: 0.7 },
      ['max_tokens'],
    ],
    [
      'a length with its largest value',
      refusing(
        400,
        (body) => body.max_tokens > 100,
        sentence('max_tokens is too large: 500. This model supports at most 100 completion tokens.', 'max_tokens'),
      ),
      { max_tokens: 100 },
      [],
    ],
    [
      'options of the stream in a list',
      refusing(422, (body) => body.stream_options !== undefined, {
        detail: [{ loc: ['body', 'stream_options'], msg: 'extra fields not permitted' }],
      }),
      { temperature: 0.7 },
      ['stream_options'],
    ],
    [
      'a temperature with its only value',
      refusing(400, (body) => body.temperature !== 0.6, sentence('invalid temperature: only 0.6 is allowed for this model')),
      { temperature: 0.6 },
      [],
    ],
    [
      'tools without an effort',
      refusing(400, (body) => body.reasoning_effort === undefined, sentence("Function tools need reasoning_effort 'none' for this model.")),
      { reasoning_effort: 'none' },
      [],
    ],
  ])('M2.07 refused parameters are repaired once, and remembered: %s', async (_name, answer, sent, missing) => {
    const traits = createModelTraits(null).of('account');
    const conversation = { ...talk, tools };
    expect(await answerOf(answer, { traits, conversation })).toMatchObject({ text: 'fine' });
    expect(server.asked).toHaveLength(2);
    expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await answerOf(answer, { traits, conversation })).toMatchObject({ text: 'fine' });
    expect(server.asked).toHaveLength(3);
    expect(server.asked[2]?.body).toMatchObject(sent);
    for (const name of missing) expect(server.asked[2]?.body).not.toHaveProperty(name);
    expect(await answerOf(answer, { traits, conversation, model: 'another' })).toMatchObject({ text: 'fine' });
    expect(server.asked).toHaveLength(5);
  });

  test('M2.07 a server that refuses another parameter each time is asked five times, and messages are never left out', async () => {
    const names = ['temperature', 'max_tokens', 'stream_options', 'top_k', 'min_p', 'top_p'];
    const refused = ({ number }: Asked) => ({ status: 400, body: sentence(`Unsupported parameter: '${names[number - 1]}'`) });
    const extraBody = { top_k: 1, min_p: 1, top_p: 1 };
    expect(await failureOf(refused, { extraBody })).toMatchObject({ code: 'model_rejected', transient: false });
    expect(server.asked).toHaveLength(5);
    server.asked.length = 0;
    expect(await failureOf({ status: 400, body: sentence("'messages' is wrong", 'messages') })).toMatchObject({ code: 'model_rejected' });
    expect(server.asked).toHaveLength(1);
  });

  test('M2.07 a parameter is sent again after an unrelated refusal, and a refused effort does not exclude other efforts', async () => {
    const traits = createModelTraits(null).of('account');
    const unhelpful = { status: 400, body: sentence("The prompt with 'temperature' is not allowed.") };
    expect(await failureOf(unhelpful, { traits })).toMatchObject({ code: 'model_rejected' });
    await answerOf({ body: said('ok') }, { traits });
    expect(server.asked.at(-1)?.body).toMatchObject({ temperature: 0.7 });
    const text = "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low'.";
    const effort = refusing(400, (body) => body.reasoning_effort === 'none', sentence(text, 'reasoning_effort'));
    expect(await answerOf(effort, { traits, conversation: { ...talk, effort: 'none' } })).toMatchObject({ text: 'fine' });
    await answerOf(effort, { traits, conversation: { ...talk, effort: 'low' } });
    expect(server.asked.at(-1)?.body).toMatchObject({ reasoning_effort: 'low' });
  });

  test.each([
    'temperature: Input should be less than or equal to 1',
    'temperature: range: 0..1',
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 1, but got 1.7 instead.",
    'temperature must be between 0 and 1',
    "Invalid type for 'temperature': expected a decimal, but got a string instead.",
  ])('M2.07 a temperature beyond the range of a model says nothing of others: %s', async (text) => {
    const traits = createModelTraits(null).of('account');
    const narrow = refusing(400, (body) => typeof body.temperature === 'number' && body.temperature > 1, sentence(text));
    expect(await answerOf(narrow, { traits, conversation: { ...talk, temperature: 1.7 } })).toMatchObject({ text: 'fine' });
    await answerOf(narrow, { traits });
    expect(server.asked.at(-1)?.body).toMatchObject({ temperature: 0.7 });
  });

  test('M2.07 a window is learnt, a length that only this prompt has no room for is left out once, and odd names do no harm', async () => {
    const traits = createModelTraits(null).of('account');
    const text =
      "'max_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 3900 input tokens.";
    const refused = refusing(400, (body) => body.max_tokens !== undefined, sentence(text));
    expect(await answerOf(refused, { traits, extraBody: { 'a(b': 1, '.*': 2 } })).toMatchObject({ text: 'fine' });
    expect(traits.peek(new URL(server.url).host, 'm')).toMatchObject({ context: 4_096, refused: [] });
    const nested = refusing(422, (body) => body.options !== undefined, sentence("Unknown parameter: 'options.num_ctx'"));
    expect(await answerOf(nested, { traits, extraBody: { options: { num_ctx: 8_192 } } })).toMatchObject({ text: 'fine' });
    expect(traits.peek(new URL(server.url).host, 'm').refused).toEqual(['options']);
  });

  test('M2.08 a request has only the parameters that are set, and thinking models get no temperature', async () => {
    await answerOf({ body: said('ok') }, { conversation: { ...talk, temperature: null, maxTokens: null } });
    expect(Object.keys(server.asked[0]?.body).toSorted()).toEqual(['messages', 'model', 'stream', 'stream_options']);
    await answerOf({ body: said('ok') }, { model: 'openai/gpt-5.1', conversation: { ...talk, effort: 'low' } });
    expect(server.asked[1]?.body).toMatchObject({ max_completion_tokens: 500, reasoning_effort: 'low' });
    expect(server.asked[1]?.body).not.toHaveProperty('temperature');
  });

  test.each([
    [400, { error: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' } }],
    [400, { error: { message: 'registry.ollama.ai/library/gemma3:4b does not support tools' } }],
    [422, { detail: [{ loc: ['body', 'tools'], msg: 'extra fields not permitted' }] }],
    [400, { error: { message: "Unsupported parameter: 'tools' is not supported with this model.", param: 'tools' } }],
    [400, { error: { message: 'Function calling is not enabled for models/gemma-3-27b-it' } }],
    [404, { error: { message: 'No endpoints found that support tool use. Try disabling "echo".', code: 404 } }],
  ] as const)('M2.09 refused tools are told as that: %i %o', async (status, body) => {
    const traits = createModelTraits(null).of('account');
    expect(await failureOf({ status, body }, { traits, conversation: { ...talk, tools } })).toMatchObject({
      code: 'model_refuses_tools',
      transient: false,
    });
    expect(server.asked).toHaveLength(1);
    expect(traits.peek(new URL(server.url).host, 'm').tools).toBe(false);
    await answerOf({ body: said('ok') }, { traits, conversation: { ...talk, tools } });
    expect(traits.peek(new URL(server.url).host, 'm').tools).toBe(true);
    expect((await failureOf({ status, body }, { traits })).code).not.toBe('model_refuses_tools');
  });
});

describe('Anthropic’s messages', () => {
  const start = {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  };
  const text = (index: number, written: string) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: written } },
    { type: 'content_block_stop', index },
  ];
  const end = (reason: string) => [
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const claude = { provider: 'anthropic' } as const;

  test.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'pause'],
    ['end_turn', 'stop'],
  ] as const)('M2.04 %s is told as %s', async (reason, finish) => {
    const body = namedEvents(start, ...text(0, 'part one'), ...end(reason));
    expect(await answerOf({ body }, claude)).toMatchObject({ text: 'part one', finish, usage: { promptTokens: 12, completionTokens: 9 } });
  });

  test('M2.05 a refusal is declined; unknown blocks and pings are let pass', async () => {
    expect(await failureOf({ body: namedEvents(start, ...text(0, 'I cannot '), ...end('refusal')) }, claude)).toMatchObject({
      code: 'model_declined',
      detail: 'I cannot',
    });
    const unknown = [
      { type: 'content_block_start', index: 0, content_block: { type: 'server_thing', x: 1 } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thing_delta', y: 2 } },
      { type: 'content_block_stop', index: 0 },
    ];
    const body = namedEvents(start, { type: 'ping' }, ...unknown, ...text(1, 'after unknown'), ...end('end_turn'));
    expect(await answerOf({ body }, claude)).toMatchObject({ text: 'after unknown', finish: 'stop' });
  });

  test('M2.06 too much work in the middle of a stream is worth another try', async () => {
    const body = namedEvents(start, ...text(0, 'half '), {
      type: 'error',
      ...{ error: { type: 'overloaded_error', message: 'Overloaded' } },
    });
    expect(await failureOf({ body }, claude)).toMatchObject({
      code: 'model_unavailable',
      status: 529,
      transient: true,
      detail: 'Overloaded',
    });
  });

  test('M2.10 a paused turn goes back alone, and a cut one with the request to go on', async () => {
    const paused = await answerOf({ body: namedEvents(start, ...text(0, 'part one'), ...end('pause_turn')) }, claude);
    const turn = { text: paused.text, opaque: paused.opaque ?? null, calls: [] };
    await answerOf(
      { body: namedEvents(start, ...text(0, 'two'), ...end('end_turn')) },
      { ...claude, conversation: { ...talk, turns: [turn] } },
    );
    expect(server.asked[1]?.body.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
    await answerOf(
      { body: namedEvents(start, ...text(0, 'two'), ...end('end_turn')) },
      { ...claude, conversation: { ...talk, turns: [{ ...turn, opaque: null }] } },
    );
    const last = server.asked[2]?.body.messages.at(-1);
    expect([last.role, last.content[0].text]).toEqual(['user', expect.stringContaining('exactly where it stopped')]);
  });
});

describe('Google’s Gemini and OpenAI’s Responses', () => {
  const gemini = { provider: 'google' } as const;
  const piece = (text: string, finishReason?: string, more: object = {}) => ({
    candidates: [{ content: { parts: [{ text }] }, finishReason }],
    ...more,
  });

  test('M2.04 Gemini’s ends are told as they are', async () => {
    expect(await answerOf({ body: eventsOf(piece('one '), piece('two', 'STOP')) }, gemini)).toMatchObject({
      text: 'one two',
      finish: 'stop',
      usage: null,
    });
    expect(await answerOf({ body: eventsOf(piece('half', 'MAX_TOKENS')) }, gemini)).toMatchObject({ text: 'half', finish: 'length' });
    const usageMetadata = { promptTokenCount: 9, thoughtsTokenCount: 500 };
    expect(await failureOf({ body: eventsOf(piece('', 'MAX_TOKENS', { usageMetadata })) }, gemini)).toMatchObject({
      code: 'model_thought_only',
    });
    expect(await failureOf({ body: eventsOf(piece('half')) }, gemini)).toMatchObject({ code: 'model_unavailable', transient: true });
    expect(await failureOf({ body: eventsOf(piece('', 'SAFETY')) }, gemini)).toMatchObject({ code: 'model_declined', detail: 'SAFETY' });
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    expect(await failureOf({ body: eventsOf(blocked) }, gemini)).toMatchObject({ code: 'model_declined', detail: 'PROHIBITED_CONTENT' });
  });

  test('M2.06 Gemini’s answer may come whole or as a list, and an error in it has its class', async () => {
    expect(await answerOf({ body: piece('whole', 'STOP') }, gemini)).toMatchObject({ text: 'whole' });
    expect(await answerOf({ body: [piece('one '), piece('two', 'STOP')] }, gemini)).toMatchObject({ text: 'one two' });
    const error = { code: 429, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' };
    expect(await failureOf({ body: eventsOf(piece('half'), { error }) }, gemini)).toMatchObject({
      code: 'model_rate_limited',
      detail: error.message,
    });
    expect(await failureOf({ body: [{ error }] }, gemini)).toMatchObject({ code: 'model_rate_limited', detail: error.message });
  });

  const converse = (body: unknown) => {
    script = () => ({ body });
    const egress = createEgress({ allowPrivate: true });
    const call: typeof egress = (address, request) => egress(address.replace('https://api.openai.com', server.url), request);
    const model = sdkModel({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'key-0123456789', model: 'gpt-5.1', call });
    return model.converse(talk, new AbortController().signal, () => {});
  };
  const item = (content: object) => ({ type: 'message', id: 'msg_1', role: 'assistant', content: [content] });
  const written = (text: string) => item({ type: 'output_text', text, annotations: [] });

  test('M2.04 the ends of the Responses API are told as they are, also of a whole answer', async () => {
    const whole = (output: object[], more: object = {}) => ({
      id: 'resp_1',
      status: 'completed',
      output,
      usage: { input_tokens: 20, output_tokens: 10 },
      ...more,
    });
    expect(await converse(whole([written('All at once')]))).toMatchObject({
      ok: true,
      value: { text: 'All at once', finish: 'stop', usage: { totalTokens: 30 } },
    });
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(await converse(whole([written('Half')], cut))).toMatchObject({ ok: true, value: { text: 'Half', finish: 'length' } });
    const thought = { ...cut, usage: { input_tokens: 20, output_tokens: 10, output_tokens_details: { reasoning_tokens: 10 } } };
    expect(await converse(whole([], thought))).toMatchObject({ ok: false, error: { code: 'model_thought_only' } });
    expect(await converse(namedEvents({ type: 'response.created' }))).toMatchObject({ ok: false, error: { code: 'model_empty_answer' } });
  });

  test('M2.05 a refusal of the Responses API is declined, and a failed response has its class', async () => {
    const refused = namedEvents(
      { type: 'response.output_item.added', ...{ output_index: 0, item: { ...item({}), content: [] } } },
      { type: 'response.refusal.delta', ...{ item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I cannot help with that.' } },
      { type: 'response.output_item.done', ...{ output_index: 0, item: item({ type: 'refusal', refusal: 'I cannot help with that.' }) } },
      { type: 'response.completed', ...{ response: { id: 'resp_1', status: 'completed' } } },
    );
    expect(await converse(refused)).toMatchObject({ ok: false, error: { code: 'model_declined', detail: 'I cannot help with that.' } });
    const failed = namedEvents({
      type: 'response.failed',
      ...{ response: { id: 'r', error: { code: 'server_error', message: 'The server had an error.' } } },
    });
    expect(await converse(failed)).toMatchObject({
      ok: false,
      error: { code: 'model_unavailable', detail: 'The server had an error.', transient: true },
    });
    const error = namedEvents({ type: 'error', ...{ code: 'rate_limit_exceeded', message: 'Slow down.' } });
    expect(await converse(error)).toMatchObject({ ok: false, error: { code: 'model_rate_limited', detail: 'Slow down.' } });
  });
});
