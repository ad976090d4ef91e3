import { expect, test } from 'vitest';
import { failureOfError } from '../../../../../server/platform/llm/classify-failure.ts';
import { toldWindow } from '../../../../../server/platform/llm/fit/told-window.ts';
import { HttpFailure } from '../../../../../server/platform/llm/http-failure.ts';

test.each([
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9301 tokens (5301 in the messages, 4000 in the completion).",
    [8_192, 9_301],
  ],
  ["This model's maximum context length is 16385 tokens. However, your messages resulted in 20021 tokens.", [16_385, 20_021]],
  ['prompt is too long: 213462 tokens > 200000 maximum', [200_000, 213_462]],
  ['The input token count (1248577) exceeds the maximum number of tokens allowed (1048576).', [1_048_576, 1_248_577]],
  ['request (9411 tokens) exceeds the available context size (4096 tokens), try increasing it', [4_096, 9_411]],
  ["This model's maximum prompt length is 131072 but the request contains 150001 tokens.", [131_072, 150_001]],
  ['Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length', [32_768, 40_012]],
  ['The maximum context length is 4,096 tokens.', [4_096, null]],
  ['max_tokens is too large: 100000. This model supports at most 16384 completion tokens.', null],
  ['Rate limit reached: 30000 tokens per minute', null],
  ['', null],
] as const)('M4.14 a window is read from the refusal of a server: %s', (message, told) => {
  expect(toldWindow(JSON.stringify({ error: { message } }))).toEqual(told && { window: told[0], needed: told[1] });
});

test('M4.14 a refusal that names the window fails with the tokens of the prompt and of the window', () => {
  const body = JSON.stringify({ error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } });
  const failure = failureOfError(new HttpFailure(400, body), new AbortController().signal, null);
  expect(failure).toMatchObject({ code: 'prompt_over_window', transient: false, tokens: { needed: 213_462, window: 200_000 } });
});
