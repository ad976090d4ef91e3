import { describe, expect, test } from 'vitest';
import { chunk, done, said, setUpStrictModel, stop, talk, tools, usage } from '../../support/model-protocols/strict/set-up-strict-model.ts';
import { type Answered, eventsOf } from '../../support/model-protocols/strict/strict-server.ts';

const { answerOf, failureOf } = setUpStrictModel();

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
