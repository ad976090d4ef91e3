import { expect, test } from 'vitest';
import { HttpFailure } from '../../../../server/platform/llm/http-failure.ts';
import { portableId } from '../../../../server/platform/llm/refusals/portable-id.ts';
import { applyTraits, repairOf } from '../../../../server/platform/llm/refusals/refused-parameter.ts';

type Fields = Record<string, unknown>;
const nine = /^[a-zA-Z0-9]{9}$/;

const chat = (message: Fields): Fields => ({
  model: 'm',
  reasoning_effort: 'low',
  messages: [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'list', arguments: '{}' } }],
      ...message,
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'a.txt' },
  ],
});
const claude = {
  messages: [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 's' },
        { type: 'tool_use', id: 'call:1', name: 'list', input: { call_id: 'x:y' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call:1', content: 'a.txt' }] },
  ],
};
const refused = (status: number, told: unknown) => new HttpFailure(status, JSON.stringify(told));
/** Returns the body that is sent after a refusal, and what is remembered. */
const repaired = (body: Fields, told: unknown, status = 400) => {
  const repair = repairOf(refused(status, told), body, []);
  if (!repair) throw new Error('Nothing was repaired.');
  const sent = repair.apply(body);
  const known = { refused: repair.isLasting ? [repair.name] : [], wants: {}, tools: null, context: null };
  expect(applyTraits(body, known)).toEqual(repair.isLasting ? sent : body);
  return { sent: sent as ReturnType<typeof chat>, isLasting: repair.isLasting };
};
const assistantOf = (body: Fields) => (body.messages as Fields[]).find(({ role }) => role === 'assistant') as Fields;

test.each([
  [
    422,
    {
      object: 'Error',
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'], msg: 'Extra inputs are not permitted' },
      ],
    },
  ],
  [
    400,
    {
      message: "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
  ],
  [400, { error: { message: "'messages.1' : property 'reasoning_content' is unsupported", type: 'invalid_request_error' } }],
  [400, { error: { message: "Unknown name 'reasoning' in messages[1]" } }],
])('M2.12 thinking that a server has given and refuses in a prompt is left out of the turns from then on: %i %o', (status, told) => {
  const body = chat({ reasoning_content: 'Hm.', reasoning: 'Hm.', reasoning_details: [{ text: 'Hm.' }] });
  const { sent, isLasting } = repaired(body, told, status);
  expect(isLasting).toBe(true);
  expect(sent).toEqual(chat({}));
});

test('M2.12 thinking is removed from a turn of parts, and a turn of which only text is left becomes a plain text', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'I look.' },
  ];
  const told = { message: "body.messages.1.assistant.content.0.thinking: property 'thinking' is unsupported" };
  expect(assistantOf(repaired(chat({ content: parts }), told).sent).content).toBe('I look.');
});

test('M2.12 the refusal of another parameter removes no thinking from the turns', () => {
  const body = chat({ reasoning_content: 'Hm.' });
  const repair = repairOf(refused(400, { error: { message: "Unsupported parameter: 'reasoning_effort' is not supported." } }), body, []);
  expect(repair?.name).toBe('reasoning_effort');
});

test('M2.12 thinking that was signed or encrypted for another account is left out of this call only', () => {
  const told = { error: { message: 'messages.0.content.0: Invalid `signature` in `thinking` block' } };
  const { sent, isLasting } = repaired(claude, told);
  expect(isLasting).toBe(false);
  expect(assistantOf(sent).content).toEqual([claude.messages[0]?.content[1]]);
  const items = [
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'list', arguments: '{}' },
  ];
  const unknown = { error: { message: 'The encrypted content gAAA could not be verified.', code: 'invalid_encrypted_content' } };
  expect(repaired({ input: items }, { ...unknown, about: 'encrypted content' }).sent.input).toEqual([
    { type: 'function_call', call_id: 'call_1', name: 'list', arguments: '{}' },
  ]);
});

test.each([
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
])('M5.04 a server that wants thoughts with each call gets some for calls of another model: %s', (message) => {
  const { sent, isLasting } = repaired(chat({}), { error: { message } });
  expect(isLasting).toBe(true);
  expect(assistantOf(sent).reasoning_content).toEqual(expect.stringContaining('not kept'));
});

test('M5.04 calls of another model get the placeholder that Gemini takes in place of a signature', () => {
  const told = [
    { error: { code: 400, message: 'Function call is missing a thought_signature in functionCall parts.', status: 'INVALID_ARGUMENT' } },
  ];
  const signature = 'skip_thought_signature_validator';
  expect(assistantOf(repaired(chat({}), told).sent).tool_calls).toEqual([
    expect.objectContaining({ extra_content: { google: { thought_signature: signature } } }),
  ]);
  const contents = [
    {
      role: 'model',
      parts: [{ text: 'I look.' }, { functionCall: { name: 'list', args: {} } }, { functionCall: { name: 'read', args: {} } }],
    },
  ];
  expect(repaired({ contents }, told).sent.contents).toEqual([
    { role: 'model', parts: [contents[0]?.parts[0], { ...contents[0]?.parts[1], thoughtSignature: signature }, contents[0]?.parts[2]] },
  ]);
});

test.each([
  {
    message: 'Tool call id was call_a but must be a-z, A-Z, 0-9, with a length of 9.',
    type: 'invalid_request_message_order',
    code: '3280',
  },
  { error: { message: "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40." } },
])('M5.04 ids of calls that a server refuses are sent in the form that all take, the same for call and result: %o', (told) => {
  const { sent, isLasting } = repaired(chat({}), told);
  expect(isLasting).toBe(true);
  const [, assistant, result] = sent.messages as [Fields, { tool_calls: { id: string }[] }, Fields];
  expect(assistant.tool_calls[0]?.id).toMatch(nine);
  expect(result.tool_call_id).toBe(assistant.tool_calls[0]?.id);
});

test('M5.04 ids are changed in the turns of Anthropic and Responses, and not in what a tool is called with', () => {
  const told = { error: { message: "messages.0.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" } };
  const { sent } = repaired(claude, told);
  const id = portableId('call:1');
  expect(id).toMatch(nine);
  expect(assistantOf(sent).content).toEqual([
    claude.messages[0]?.content[0],
    { type: 'tool_use', id, name: 'list', input: { call_id: 'x:y' } },
  ]);
  expect((sent.messages as Fields[])[1]?.content).toEqual([{ type: 'tool_result', tool_use_id: id, content: 'a.txt' }]);
  const input = [
    { type: 'function_call', call_id: 'x'.repeat(80) },
    { type: 'function_call_output', call_id: 'x'.repeat(80), output: 'a' },
  ];
  const long = repaired(
    { input },
    { error: { message: "Invalid 'input[0].call_id': string too long. Expected a string with maximum length 64." } },
  );
  expect(new Set((long.sent.input as Fields[]).map(({ call_id }) => call_id))).toEqual(new Set([portableId('x'.repeat(80))]));
});

test('M5.04 equal ids of several calls become different ones, and one in the right form stays', () => {
  expect(portableId('abcDEF123')).toBe('abcDEF123');
  expect(new Set([portableId('call_1'), portableId('call_1', 1), portableId('abcDEF123', 1)]).size).toBe(3);
});
