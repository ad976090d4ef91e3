import { expect, test } from 'vitest';
import type { Answer } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import type { Conversation, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { sdkModel } from '../../../../server/platform/llm/sdk/sdk-model.ts';

const completion = (prompt: unknown, written: unknown) => ({
  choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: prompt, completion_tokens: written },
});
const message = (prompt: unknown, written: unknown) => ({
  ...{ type: 'message', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
  usage: { input_tokens: prompt, output_tokens: written },
});
const talk: Conversation = {
  messages: [{ role: 'user', content: 'Do it.' }],
  speaker: { role: 'qa', agentTitle: 'QA', language: 'en' },
  ...{ temperature: null, maxTokens: null, idempotencyKey: 'talk' },
};
const reader = (provider: 'openai' | 'anthropic') => (answer: Answer) => {
  const at = { baseUrl: 'https://models.test/v1', apiKey: null, model: 'm', call: async () => answer };
  return sdkModel({ ...at, provider }).converse(talk, new AbortController().signal, () => {});
};
const servers = [
  { server: 'openai', told: completion, read: reader('openai') },
  { server: 'anthropic', told: message, read: reader('anthropic') },
];
const readCompletion = reader('openai');
const readMessage = reader('anthropic');

test.each(servers)('R25.01 $server is believed the tokens that it counts, also as text', async ({ told, read }) => {
  expect(usageOf(await read(answerOf(told(20, 10))))).toEqual({ promptTokens: 20, completionTokens: 10, totalTokens: 30 });
  expect(usageOf(await read(answerOf(told('20', '10'))))).toEqual({ promptTokens: 20, completionTokens: 10, totalTokens: 30 });
});

test.each(servers)('R25.01 $server is not believed what is no count, and its answer is kept', async ({ told, read }) => {
  for (const wrong of [-5, 1.5, 1e300, '2x', {}, null]) {
    expect(usageOf(await read(answerOf(told(wrong, 10))))).toEqual({ promptTokens: 0, completionTokens: 10, totalTokens: 10 });
    expect(usageOf(await read(answerOf(told(wrong, wrong))))).toBeNull();
  }
});

test('G4.01 input that is written to the cache is counted apart from what is read, and never beyond the prompt', async () => {
  const writes = (cached: unknown, written: unknown) => ({
    ...completion(20, 10),
    usage: { ...completion(20, 10).usage, prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written } },
  });
  const plain = { promptTokens: 20, completionTokens: 10, totalTokens: 30 };
  expect(usageOf(await readCompletion(answerOf(writes(0, 12))))).toEqual({ ...plain, cacheWriteTokens: 12 });
  expect(usageOf(await readCompletion(answerOf(writes(8, 500))))).toEqual({ ...plain, cachedTokens: 8, cacheWriteTokens: 12 });
  expect(usageOf(await readCompletion(answerOf(writes(8, -3))))).toEqual({ ...plain, cachedTokens: 8 });
});

test('G4.01 reasoning that a server counts apart from its completion is paid too', async () => {
  const apart = { ...completion(20, 10).usage, total_tokens: 37, completion_tokens_details: { reasoning_tokens: 7 } };
  expect(usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: apart })))).toEqual({
    ...{ promptTokens: 20, completionTokens: 17, totalTokens: 37, reasoningTokens: 7 },
  });
  const within = { ...apart, total_tokens: 30 };
  expect(usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: within })))).toMatchObject({ completionTokens: 10 });
});

test('G4.01 cached input and reasoning are counted apart, in each server’s own words', async () => {
  const openai = {
    ...completion(20, 10).usage,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  const gigachat = { ...completion(12, 10).usage, precached_prompt_tokens: 8 };
  const anthropic = { input_tokens: 2, cache_creation_input_tokens: 10, cache_read_input_tokens: 8, output_tokens: 10 };
  const usages = [
    usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: openai }))),
    usageOf(await readCompletion(answerOf({ ...completion(12, 10), usage: gigachat }))),
    usageOf(await readMessage(answerOf({ ...message(2, 10), usage: anthropic }))),
  ];
  const all = { promptTokens: 20, completionTokens: 10, totalTokens: 30, cachedTokens: 8 };
  expect(usages).toEqual([{ ...all, reasoningTokens: 4 }, all, { ...all, cacheWriteTokens: 10 }]);
  const wrong = { ...completion(20, 10).usage, prompt_tokens_details: 'many', completion_tokens_details: { reasoning_tokens: -3 } };
  expect(usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: wrong })))).toEqual({
    ...{ promptTokens: 20, completionTokens: 10, totalTokens: 30 },
  });
});

function usageOf(outcome: ModelOutcome) {
  if (!outcome.ok) throw new Error(`The answer was lost: ${outcome.error.code}.`);
  expect(outcome.value.text).toBe('Done.');
  return outcome.value.usage;
}

function answerOf(body: object): Answer {
  const text = JSON.stringify(body);
  const pieces = async function* () {
    yield Buffer.from(text);
  };
  const scrubber = createScrubber([]);
  return { status: 200, ok: true, headers: { 'content-type': 'application/json' }, body: pieces(), text: async () => text, scrubber };
}
