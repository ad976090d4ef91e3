import { expect, test } from 'vitest';
import type { Answer } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { readMessage } from '../../../../server/platform/llm/anthropic/read-message.ts';
import type { ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { readCompletion } from '../../../../server/platform/llm/read-completion.ts';

const completion = (prompt: unknown, written: unknown) => ({
  choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: prompt, completion_tokens: written },
});
const message = (prompt: unknown, written: unknown) => ({
  ...{ type: 'message', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
  usage: { input_tokens: prompt, output_tokens: written },
});
const unreadable = () => {
  throw new Error('No error was told.');
};
const reading = { onText: () => {}, hold: undefined, failureOf: unreadable };
const servers = [
  { server: 'openai', told: completion, read: (answer: Answer) => readCompletion(answer, reading) },
  { server: 'anthropic', told: message, read: (answer: Answer) => readMessage(answer, reading) },
];

test.each(servers)('R25.01 $server is believed the tokens that it counts', async ({ told, read }) => {
  expect(usageOf(await read(answerOf(told(20, 10))))).toEqual({ promptTokens: 20, completionTokens: 10, totalTokens: 30 });
});

test.each(servers)('R25.01 $server is not believed what is no count, and its answer is kept', async ({ told, read }) => {
  for (const wrong of [-5, 1.5, 1e300, '20', {}, null]) {
    expect(usageOf(await read(answerOf(told(wrong, 10))))).toEqual({ promptTokens: 0, completionTokens: 10, totalTokens: 10 });
    expect(usageOf(await read(answerOf(told(wrong, wrong))))).toBeNull();
  }
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
    usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: openai }), reading)),
    usageOf(await readCompletion(answerOf({ ...completion(12, 10), usage: gigachat }), reading)),
    usageOf(await readMessage(answerOf({ ...message(2, 10), usage: anthropic }), reading)),
  ];
  const all = { promptTokens: 20, completionTokens: 10, totalTokens: 30, cachedTokens: 8 };
  expect(usages).toEqual([{ ...all, reasoningTokens: 4 }, all, all]);
  const wrong = { ...completion(20, 10).usage, prompt_tokens_details: 'many', completion_tokens_details: { reasoning_tokens: -3 } };
  expect(usageOf(await readCompletion(answerOf({ ...completion(20, 10), usage: wrong }), reading))).toEqual({
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
