import { describe, expect, test } from 'vitest';
import { createModelTraits } from '../../../server/platform/llm/model-traits.ts';
import { said, setUpStrictModel, talk, tools } from '../../support/model-protocols/strict/set-up-strict-model.ts';
import type { Answered, Asked } from '../../support/model-protocols/strict/strict-server.ts';

const { url, ask, asked, answerOf, failureOf } = setUpStrictModel();

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
    expect(asked()).toHaveLength(2);
    expect(new Set(asked().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await answerOf(answer, { traits, conversation })).toMatchObject({ text: 'fine' });
    expect(asked()).toHaveLength(3);
    expect(asked()[2]?.body).toMatchObject(sent);
    for (const name of missing) expect(asked()[2]?.body).not.toHaveProperty(name);
    expect(await answerOf(answer, { traits, conversation, model: 'another' })).toMatchObject({ text: 'fine' });
    expect(asked()).toHaveLength(5);
  });

  test('M2.07 a server that refuses another parameter each time is asked five times, and messages are never left out', async () => {
    const names = ['temperature', 'max_tokens', 'stream_options', 'top_k', 'min_p', 'top_p'];
    const refused = ({ number }: Asked) => ({ status: 400, body: sentence(`Unsupported parameter: '${names[number - 1]}'`) });
    const extraBody = { top_k: 1, min_p: 1, top_p: 1 };
    expect(await failureOf(refused, { extraBody })).toMatchObject({ code: 'model_rejected', transient: false });
    expect(asked()).toHaveLength(5);
    asked().length = 0;
    expect(await failureOf({ status: 400, body: sentence("'messages' is wrong", 'messages') })).toMatchObject({ code: 'model_rejected' });
    expect(asked()).toHaveLength(1);
  });

  test('M2.07 a parameter is sent again after an unrelated refusal, and a refused effort does not exclude other efforts', async () => {
    const traits = createModelTraits(null).of('account');
    const unhelpful = { status: 400, body: sentence("The prompt with 'temperature' is not allowed.") };
    expect(await failureOf(unhelpful, { traits })).toMatchObject({ code: 'model_rejected' });
    await answerOf({ body: said('ok') }, { traits });
    expect(asked().at(-1)?.body).toMatchObject({ temperature: 0.7 });
    const text = "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low'.";
    const effort = refusing(400, (body) => body.reasoning_effort === 'none', sentence(text, 'reasoning_effort'));
    expect(await answerOf(effort, { traits, conversation: { ...talk, effort: 'none' } })).toMatchObject({ text: 'fine' });
    await answerOf(effort, { traits, conversation: { ...talk, effort: 'low' } });
    expect(asked().at(-1)?.body).toMatchObject({ reasoning_effort: 'low' });
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
    expect(asked().at(-1)?.body).toMatchObject({ temperature: 0.7 });
  });

  test('M2.07 a window is learnt, a length that only this prompt has no room for is left out once, and odd names do no harm', async () => {
    const traits = createModelTraits(null).of('account');
    const text =
      "'max_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 3900 input tokens.";
    const refused = refusing(400, (body) => body.max_tokens !== undefined, sentence(text));
    expect(await answerOf(refused, { traits, extraBody: { 'a(b': 1, '.*': 2 } })).toMatchObject({ text: 'fine' });
    expect(traits.peek(new URL(url()).host, 'm')).toMatchObject({ context: 4_096, refused: [] });
    const nested = refusing(422, (body) => body.options !== undefined, sentence("Unknown parameter: 'options.num_ctx'"));
    expect(await answerOf(nested, { traits, extraBody: { options: { num_ctx: 8_192 } } })).toMatchObject({ text: 'fine' });
    expect(traits.peek(new URL(url()).host, 'm').refused).toEqual(['options']);
  });

  test('M2.08 a request has only the parameters that are set, and thinking models get no temperature', async () => {
    await answerOf({ body: said('ok') }, { conversation: { ...talk, temperature: null, maxTokens: null } });
    expect(Object.keys(asked()[0]?.body).toSorted()).toEqual(['messages', 'model', 'stream', 'stream_options']);
    await answerOf({ body: said('ok') }, { model: 'openai/gpt-5.1', conversation: { ...talk, effort: 'low' } });
    expect(asked()[1]?.body).toMatchObject({ max_completion_tokens: 500, reasoning_effort: 'low' });
    expect(asked()[1]?.body).not.toHaveProperty('temperature');
  });

  const own = { topP: { top_p: 0.9, seed: 7, stop: ['END'], user: 'ann' }, claude: { top_p: 0.9, top_k: 5, stop_sequences: ['END'] } };
  const safety = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
  test.each([
    ['openai', own.topP],
    ['anthropic', own.claude],
    ['google', { safetySettings: safety, cachedContent: 'cachedContents/1' }],
  ] as const)('M2.08 further fields of a connection of %s are sent, also those that the library knows', async (provider, extraBody) => {
    // The answer is of no protocol's: what was asked counts.
    await ask(
      { status: 400, body: sentence('No.') },
      { provider, extraBody, conversation: { ...talk, temperature: null, maxTokens: null } },
    );
    expect(asked()[0]?.body).toMatchObject(extraBody);
  });

  test('M2.08 a learnt length is put on no call that sets none, and a refusal that names what was not sent changes nothing', async () => {
    const traits = createModelTraits(null).of('account');
    const long = refusing(
      400,
      (body) => body.max_tokens > 100,
      sentence('This model supports at most 100 completion tokens.', 'max_tokens'),
    );
    await answerOf(long, { traits });
    await answerOf(long, { traits, conversation: { ...talk, maxTokens: null } });
    expect(asked().at(-1)?.body).not.toHaveProperty('max_tokens');
    asked().length = 0;
    const unsent = { status: 400, body: sentence("The messages of role 'user' must not be empty, nor may 'stop' be.") };
    expect(await failureOf(unsent, { traits })).toMatchObject({ code: 'model_rejected' });
    expect(asked()).toHaveLength(1);
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
    expect(asked()).toHaveLength(1);
    expect(traits.peek(new URL(url()).host, 'm').tools).toBe(false);
    await answerOf({ body: said('ok') }, { traits, conversation: { ...talk, tools } });
    expect(traits.peek(new URL(url()).host, 'm').tools).toBe(true);
    expect((await failureOf({ status, body }, { traits })).code).not.toBe('model_refuses_tools');
  });
});
