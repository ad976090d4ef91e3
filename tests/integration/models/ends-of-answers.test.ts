import { expect, test } from 'vitest';
import { createModelTraits } from '../../../server/platform/llm/model-traits.ts';
import { chunk, done, said, setUpStrictModel, stop, talk } from '../../support/model-protocols/strict/set-up-strict-model.ts';
import { type Asked, eventsOf } from '../../support/model-protocols/strict/strict-server.ts';

const { url, asked, answerOf, failureOf } = setUpStrictModel();
const choice = (index: number, content: string | null, finish_reason: string | null = null) => ({
  choices: [{ index, delta: content === null ? {} : { content }, finish_reason }],
});

test('M2.14 of two choices the first one is the answer, in whichever order they come', async () => {
  const both = eventsOf(
    choice(1, 'No'),
    choice(0, 'Ye'),
    choice(1, 'pe'),
    choice(0, 's'),
    choice(1, null, 'length'),
    choice(0, null, 'stop'),
    done,
  );
  expect(await answerOf({ body: both })).toMatchObject({ text: 'Yes', finish: 'stop' });
  const whole = {
    choices: [1, 0].map((index) => ({ index, message: { role: 'assistant', content: `Choice ${index}` }, finish_reason: 'stop' })),
  };
  expect(await answerOf({ body: whole })).toMatchObject({ text: 'Choice 0' });
  expect(await answerOf({ body: eventsOf(choice(1, 'On'), choice(1, 'ly'), choice(1, null, 'stop'), done) })).toMatchObject({
    text: 'Only',
  });
  const candidates = eventsOf(
    { candidates: [{ index: 1, content: { parts: [{ text: 'No' }] } }] },
    { candidates: [{ index: 0, content: { parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }] },
  );
  expect(await answerOf({ body: candidates }, { provider: 'google' })).toMatchObject({ text: 'Yes' });
});

test('M2.14 a call that the server could not read is asked for once more, with its words', async () => {
  const gemini = {
    candidates: [
      { content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: print(echo())' },
    ],
  };
  const failure = { code: 'model_bad_call', isWorthOneMore: true };
  expect(await failureOf({ body: eventsOf(gemini) }, { provider: 'google' })).toMatchObject({
    ...failure,
    detail: 'Malformed function call: print(echo())',
  });
  const compatible = eventsOf(chunk({ content: '' }), chunk({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'), done);
  expect(await failureOf({ body: compatible })).toMatchObject(failure);
  expect(await failureOf({ body: eventsOf(stop, done) })).toMatchObject({ code: 'model_empty_answer', isWorthOneMore: true });
});

test('M2.14 what a server says about a refusal is shown', async () => {
  const stop_details = { type: 'refusal', category: 'cyber', explanation: 'This request asks for an exploit.' };
  const claude = eventsOf(
    { type: 'message_start', message: { usage: { input_tokens: 9 } } },
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details } },
    { type: 'message_stop' },
  );
  const refused = { code: 'model_declined', detail: stop_details.explanation };
  expect(await failureOf({ body: claude }, { provider: 'anthropic' })).toMatchObject(refused);
  const blocked = { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'The prompt was blocked.' } };
  expect(await failureOf({ body: eventsOf(blocked) }, { provider: 'google' })).toMatchObject({
    code: 'model_declined',
    detail: 'The prompt was blocked.',
  });
  const safetyRatings = [{ category: 'HARM_CATEGORY_HARASSMENT', blocked: true }, { category: 'HARM_CATEGORY_HATE_SPEECH' }];
  const rated = { candidates: [{ content: { parts: [] }, finishReason: 'SAFETY', safetyRatings }] };
  expect(await failureOf({ body: eventsOf(rated) }, { provider: 'google' })).toMatchObject({ detail: 'HARM_CATEGORY_HARASSMENT' });
  const filters = { violence: { filtered: true, severity: 'medium' }, hate: { filtered: false, severity: 'safe' } };
  const azure = { choices: [{ index: 0, delta: {}, finish_reason: 'content_filter', content_filter_results: filters }] };
  expect(await failureOf({ body: eventsOf(azure, done) })).toMatchObject({ code: 'model_declined', detail: 'violence' });
});

test('M2.30 an effort that a server refuses is left out for ten minutes, and each answer says so', async () => {
  let now = 0;
  const traits = createModelTraits(null, undefined, () => now).of('account');
  const message = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
  const refusing = ({ body }: Asked) =>
    body.reasoning_effort === undefined ? { body: said('fine') } : { status: 400, body: { error: { message, param: 'reasoning_effort' } } };
  const conversation = { ...talk, effort: 'high' as const };
  expect(await answerOf(refusing, { traits, conversation })).toMatchObject({ text: 'fine', isWithoutEffort: true });
  expect(await answerOf(refusing, { traits, conversation })).toMatchObject({ isWithoutEffort: true });
  expect(asked()).toHaveLength(3);
  now = 600_001;
  expect(await answerOf({ body: said('fine') }, { traits, conversation })).not.toHaveProperty('isWithoutEffort');
  expect(asked().at(-1)?.body).toMatchObject({ reasoning_effort: 'high' });
  expect(await answerOf({ body: said('fine') }, { traits })).not.toHaveProperty('isWithoutEffort');
  expect(traits.peek(new URL(url()).host, 'm').refused).toEqual([]);
});
