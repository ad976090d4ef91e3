import { expect, test } from 'vitest';
import { toldWindow } from '../../../../server/platform/llm/fit/told-window.ts';
import { HttpFailure } from '../../../../server/platform/llm/http-failure.ts';
import { refusesTools, repairOf } from '../../../../server/platform/llm/refusals/refused-parameter.ts';

const sent = { model: 'm', messages: [], temperature: 0.7, max_tokens: 4_000, tools: [{}], generationConfig: { maxOutputTokens: 4_000 } };
const refusal = (message: string) => new HttpFailure(400, JSON.stringify({ error: { message } }));
const repaired = (message: string, body: Record<string, unknown> = sent, tried: string[] = []) => {
  const repair = repairOf(refusal(message), body, tried);
  return repair && { isLasting: repair.isLasting, sends: repair.apply(body) };
};

test.each([
  ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 192000, decrease input length or `max_tokens`', 2_000],
  [
    "'max_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens (4000 > 4096 - 1000).",
    3_096,
  ],
])('M2.07 a length without room beside this prompt is shortened for this call: %s', (message, max_tokens) => {
  expect(repaired(message)).toEqual({ isLasting: false, sends: { ...sent, max_tokens } });
});

test.each([
  ['max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens for this model', 2_048],
  ['`max_tokens` must be less than or equal to `1024`', 1_024],
])('M2.07 a length above the most of a model is that most from then on: %s', (message, max_tokens) => {
  expect(repaired(message)).toEqual({ isLasting: true, sends: { ...sent, max_tokens } });
});

test.each([
  ['temperature', 'temperature: range: 0..1'],
  ['temperature', "Invalid 'temperature': decimal above maximum value. Expected a value <= 1, but got 1.5 instead."],
  ['temperature', "Invalid type for 'temperature': expected a decimal, but got a string instead."],
  ['temperature', 'temperature must be between 0 and 1'],
  ['temperature', 'Input should be less than or equal to 1: temperature'],
  ['max_tokens', "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead."],
])('M2.07 a refused value of %s is left out of this call only: %s', (name, message) => {
  const { [name as 'temperature']: _, ...sends } = sent;
  expect(repaired(message)).toEqual({ isLasting: false, sends });
});

test.each([
  "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
  "Unsupported parameter: 'temperature' is not supported with this model.",
  '`temperature` is deprecated for this model.',
])('M2.07 a parameter that a model does not have is left out from then on: %s', (message) => {
  expect(repaired(message)?.isLasting).toBe(true);
});

test('M2.07 of Gemini’s configuration only the refused field is left out', () => {
  const message = 'Invalid JSON payload received. Unknown name "maxOutputTokens" at \'generation_config\': Cannot find field.';
  expect(repaired(message)).toEqual({ isLasting: true, sends: { ...sent, generationConfig: {} } });
});

test('M2.07 a refusal is not repaired that names no parameter, names one that was repaired before, or has another status', () => {
  expect(repaired('messages: at least one message is required')).toBeNull();
  expect(repaired("Invalid 'tools': schema is wrong")).toBeNull();
  expect(repaired("Unsupported parameter: 'temperature'", sent, ['temperature'])).toBeNull();
  expect(repairOf(new HttpFailure(404, "no 'temperature'"), sent, [])).toBeNull();
  expect(repaired('The temperatures of the prompt are wrong.')).toBeNull();
});

test('M2.07 the size of the window is read from the error message of each server', () => {
  expect(toldWindow("This model's maximum context length is 4097 tokens.")?.window).toBe(4_097);
  expect(toldWindow('prompt is too long: 210000 tokens > 200000 maximum')?.window).toBe(200_000);
  expect(toldWindow('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')?.window).toBe(1_048_576);
  expect(toldWindow('the request exceeds the available context size (4096 tokens), try increasing it')?.window).toBe(4_096);
  expect(toldWindow('max_tokens is too large: 500')).toBeNull();
});

test('M2.09 an error about the schema of a tool does not count as a refusal of all tools', () => {
  expect(refusesTools(refusal("Invalid schema for function 'read_file': 'path' is not of type 'object'."))).toBe(false);
  expect(refusesTools(refusal('The tool call id is not valid.'))).toBe(false);
  expect(refusesTools(refusal("This model doesn't support tool use"))).toBe(true);
  expect(refusesTools(refusal('json: unknown field "tools"'))).toBe(true);
});
