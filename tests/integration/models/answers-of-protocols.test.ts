import { describe, expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { setUpStrictModel, talk, tools } from '../../support/model-protocols/strict/set-up-strict-model.ts';
import { eventsOf, namedEvents } from '../../support/model-protocols/strict/strict-server.ts';

const { url, answerWith, asked, answerOf, failureOf } = setUpStrictModel();

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

  test('M2.05 arguments that come with the block of a call are kept, unless pieces of them follow', async () => {
    const called = (input: object, pieces: string[]) => [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'call_1', name: 'echo', input } },
      ...pieces.map((partial_json) => ({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } })),
      { type: 'content_block_stop', index: 0 },
    ];
    for (const [input, pieces] of [
      [{ text: 'a' }, []],
      [{}, ['{"text"', ':"a"}']],
      [{ text: 'b' }, ['{"text":"a"}']],
    ] as const) {
      const body = namedEvents(start, ...called(input, [...pieces]), ...end('tool_use'));
      expect((await answerOf({ body }, claude)).calls).toEqual([{ id: 'call_1', name: 'echo', arguments: '{"text":"a"}' }]);
    }
  });

  test('M2.05 a block that is thinking in secret goes back as it came, also with a signature behind it', async () => {
    const body = namedEvents(
      start,
      { type: 'content_block_start', ...{ index: 0, content_block: { type: 'redacted_thinking', data: 'secret' } } },
      { type: 'content_block_delta', ...{ index: 0, delta: { type: 'signature_delta', signature: 'signed' } } },
      { type: 'content_block_stop', ...{ index: 0 } },
      { type: 'content_block_start', ...{ index: 1, content_block: { type: 'tool_use', id: 'call_1', name: 'echo', input: {} } } },
      { type: 'content_block_stop', ...{ index: 1 } },
      ...end('tool_use'),
    );
    const { text: said, opaque, calls = [] } = await answerOf({ body }, claude);
    const turn = { text: said, opaque: opaque ?? null, calls: calls.map((one) => ({ ...one, result: 'ok', isError: false })) };
    await answerOf(
      { body: namedEvents(start, ...text(0, 'two'), ...end('end_turn')) },
      { ...claude, conversation: { ...talk, tools, turns: [turn] } },
    );
    expect(asked().at(-1)?.body.messages[1].content[0]).toMatchObject({ type: 'redacted_thinking', data: 'secret' });
  });

  test('M2.05 what comes behind the end of an answer in the same piece does not matter', async () => {
    for (const behind of ['data: OK\n\n', 'data: [DONE] \n\n', 'data: {"type":"error"\n\n'])
      expect(await answerOf({ body: `${namedEvents(start, ...text(0, 'whole'), ...end('end_turn'))}${behind}` }, claude)).toMatchObject({
        text: 'whole',
      });
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
    expect(asked()[1]?.body.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
    await answerOf(
      { body: namedEvents(start, ...text(0, 'two'), ...end('end_turn')) },
      { ...claude, conversation: { ...talk, turns: [{ ...turn, opaque: null }] } },
    );
    const last = asked()[2]?.body.messages.at(-1);
    expect([last.role, last.content[0].text]).toEqual(['user', expect.stringContaining('exactly where it stopped')]);
  });
});

describe('Chat completions', () => {
  test('M2.05 a call without a name is left out: it calls nothing, and no server takes it back', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const called = (name: string) => ({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: '{}' } }] });
    for (const name of ['', ' ']) {
      const body = eventsOf(chunk({ content: 't', ...called(name) }), chunk({}, 'tool_calls'), '[DONE]');
      const answer = await answerOf({ body });
      expect([answer.text, answer.calls]).toEqual(['t', undefined]);
    }
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

  test('M2.05 a part of Gemini that cannot be read hides no other one, and an answer that ends with it is asked for again', async () => {
    const called = { functionCall: { name: 'echo', args: { text: 'a' } } };
    const unreadable = { text: 'x', thought: 'yes' };
    const parts = (given: object[], finishReason?: string) => ({ candidates: [{ content: { parts: given }, finishReason }] });
    expect(await answerOf({ body: eventsOf(parts([unreadable, called]), parts([], 'STOP')) }, gemini)).toMatchObject({
      calls: [{ name: 'echo', arguments: '{"text":"a"}' }],
    });
    expect(await failureOf({ body: eventsOf(piece('Calling'), parts([called, unreadable], 'STOP')) }, gemini)).toMatchObject({
      code: 'model_unavailable',
      transient: true,
    });
    expect(await answerOf({ body: eventsOf(parts([{ text: '', ...called }], 'STOP')) }, gemini)).toMatchObject({
      calls: [{ name: 'echo' }],
    });
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

  const converse = (body: unknown, conversation = talk) => {
    answerWith({ body });
    const egress = createEgress({ allowPrivate: true, proxies: null });
    const call: typeof egress = (address, request) => egress(address.replace('https://api.openai.com', url()), request);
    const model = sdkModel({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'key-0123456789', model: 'gpt-5.1', call });
    return model.converse(conversation, new AbortController().signal, () => {});
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

  const functionCall = (name: string, written: string) => ({
    type: 'function_call',
    ...{ id: 'fc_1', call_id: 'call_1', name, arguments: written, status: 'completed' },
  });
  const ended = { type: 'response.completed', ...{ response: { id: 'resp_1', status: 'completed' } } };

  test('M2.05 the arguments of a call in a whole response are kept', async () => {
    const body = { id: 'resp_1', status: 'completed', output: [functionCall('echo', '{"text":"a"}')] };
    expect(await converse(body)).toMatchObject({
      ok: true,
      value: { calls: [{ id: 'call_1', name: 'echo', arguments: '{"text":"a"}' }] },
    });
  });

  test('M2.05 a call of OpenAI’s own tool for parallel calls is taken as those calls, and goes back as them', async () => {
    const uses = { tool_uses: ['a', 'b'].map((text) => ({ recipient_name: 'functions.echo', parameters: { text } })) };
    const call = functionCall('parallel', JSON.stringify(uses));
    const body = namedEvents(
      { type: 'response.output_item.added', ...{ output_index: 0, item: { ...call, arguments: '' } } },
      { type: 'response.function_call_arguments.delta', ...{ item_id: 'fc_1', output_index: 0, delta: call.arguments } },
      { type: 'response.output_item.done', ...{ output_index: 0, item: call } },
      ended,
    );
    const outcome = await converse(body, { ...talk, tools });
    if (!outcome.ok) throw new Error(`No answer: ${outcome.error.code}.`);
    const calls = ['a', 'b'].map((text, at) => ({ id: `call_1_${at}`, name: 'echo', arguments: JSON.stringify({ text }) }));
    expect(outcome.value.calls).toEqual(calls);

    const turn = { text: '', opaque: outcome.value.opaque ?? null, calls: calls.map((one) => ({ ...one, result: 'ok', isError: false })) };
    await converse({ id: 'resp_2', status: 'completed', output: [written('Done')] }, { ...talk, tools, turns: [turn] });
    const sent: { type?: string; call_id?: string }[] = asked().at(-1)?.body.input;
    expect(sent.filter(({ type }) => type?.startsWith('function_call')).map(({ type, call_id: id }) => [type, id])).toEqual([
      ['function_call', 'call_1_0'],
      ['function_call', 'call_1_1'],
      ['function_call_output', 'call_1_0'],
      ['function_call_output', 'call_1_1'],
    ]);
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
