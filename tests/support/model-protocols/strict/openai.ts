import { allowOnly, callArguments, refuseUnless, result, type StrictProvider } from './strict-provider.ts';
import { type Asked, eventsOf, namedEvents, Refused } from './strict-server.ts';

const told = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'I need the file.' }],
  encrypted_content: 'gAAAA-secret-thoughts==',
};
const functionCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read_file',
  arguments: callArguments,
  status: 'completed',
};
const usage = (cached: number) => ({
  ...{ input_tokens: 20, output_tokens: 10, total_tokens: 30 },
  input_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: 6 },
});
const opened = { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5.1' } };

/** OpenAI's Responses API with a thinking model: nothing is stored, so its reasoning must come back before the call that belongs to it. */
export const openAiResponses: StrictProvider = {
  ...{ name: 'OpenAI Responses', provider: 'openai', model: 'gpt-5.1', address: 'https://api.openai.com', thoughts: 'I need the file.' },
  wantsBack: "without its required 'reasoning' item",
  answer({ path, headers, body }) {
    refuseUnless(path === '/v1/responses', 404, told(`Invalid URL (POST ${path})`));
    refuseUnless(headers.authorization === 'Bearer key-0123456789', 401, told('Incorrect API key provided'));
    allowOnly(
      body,
      [
        'model',
        'input',
        'tools',
        'stream',
        'store',
        'include',
        'max_output_tokens',
        'reasoning',
        'parallel_tool_calls',
        'tool_choice',
        'prompt_cache_key',
      ],
      (name) => new Refused(400, told(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter')),
    );
    refuseUnless(
      body.store === false && body.include?.includes('reasoning.encrypted_content'),
      400,
      told('The test wants nothing stored.'),
    );
    const items: { type?: string; id?: string; call_id?: string; encrypted_content?: string; output?: string }[] = body.input;
    const at = items.findIndex(({ type }) => type === 'function_call');
    if (at < 0) {
      return {
        body: namedEvents(
          opened,
          { type: 'response.output_item.added', ...{ output_index: 0, item: { ...reasoning, summary: [], encrypted_content: '' } } },
          { type: 'response.reasoning_summary_part.added', ...{ item_id: 'rs_1', output_index: 0, summary_index: 0 } },
          {
            type: 'response.reasoning_summary_text.delta',
            ...{ item_id: 'rs_1', output_index: 0, summary_index: 0, delta: 'I need the file.' },
          },
          { type: 'response.reasoning_summary_part.done', ...{ item_id: 'rs_1', output_index: 0, summary_index: 0 } },
          { type: 'response.output_item.done', ...{ output_index: 0, item: reasoning } },
          { type: 'response.output_item.added', ...{ output_index: 1, item: { ...functionCall, arguments: '', status: 'in_progress' } } },
          { type: 'response.function_call_arguments.delta', ...{ item_id: 'fc_1', output_index: 1, delta: callArguments.slice(0, 6) } },
          { type: 'response.function_call_arguments.delta', ...{ item_id: 'fc_1', output_index: 1, delta: callArguments.slice(6) } },
          { type: 'response.function_call_arguments.done', ...{ item_id: 'fc_1', output_index: 1, arguments: callArguments } },
          { type: 'response.output_item.done', ...{ output_index: 1, item: functionCall } },
          { type: 'response.completed', ...{ response: { id: 'resp_1', status: 'completed', usage: usage(0) } } },
        ),
      };
    }
    const before = items[at - 1];
    const isWhole = before?.type === 'reasoning' && before.id === 'rs_1' && before.encrypted_content === reasoning.encrypted_content;
    refuseUnless(
      isWhole,
      400,
      told("Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.", 'input'),
    );
    const output = items.find(({ type }) => type === 'function_call_output');
    refuseUnless(
      output?.call_id === 'call_1' && output.output === result,
      400,
      told('No tool output found for function call call_1.', 'input'),
    );
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] as object[] };
    return {
      body: namedEvents(
        opened,
        { type: 'response.output_item.added', ...{ output_index: 0, item: message } },
        {
          type: 'response.content_part.added',
          ...{ item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'output_text', text: '' } },
        },
        { type: 'response.output_text.delta', ...{ item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'It says hello.' } },
        { type: 'response.output_text.done', ...{ item_id: 'msg_1', output_index: 0, content_index: 0, text: 'It says hello.' } },
        {
          type: 'response.output_item.done',
          ...{ output_index: 0, item: { ...message, content: [{ type: 'output_text', text: 'It says hello.', annotations: [] }] } },
        },
        { type: 'response.completed', ...{ response: { id: 'resp_2', status: 'completed', usage: usage(8) } } },
      ),
    };
  },
};

export const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
});
export const counted = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 8 } } };
export const chatCall = (id = 'call_1') => ({ index: 0, id, type: 'function', function: { name: 'read_file', arguments: callArguments } });
/** The chunks of a call in pieces. */
export const callChunks = (id?: string) => [
  chunk({ tool_calls: [{ ...chatCall(id), function: { name: 'read_file', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: callArguments.slice(0, 6) } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: callArguments.slice(6) } }] }),
  chunk({}, 'tool_calls'),
];
export const answered = (...more: object[]) =>
  eventsOf(chunk({ role: 'assistant', content: 'It says ' }), chunk({ content: 'hello.' }), chunk({}, 'stop'), ...more, '[DONE]');

/** Returns the model's message of the first turn, null before it. Refuses a second turn whose call or result is not as it was. */
export function earlierTurn({ messages }: Asked['body'], id = 'call_1') {
  const said = messages.find(({ role }: { role: string }) => role === 'assistant');
  if (!said) return null;
  const heard = messages.find(({ role }: { role: string }) => role === 'tool');
  const call = said.tool_calls?.[0];
  const isCall =
    call?.id === id && call.type === 'function' && call.function.name === 'read_file' && call.function.arguments === callArguments;
  refuseUnless(
    isCall && heard?.tool_call_id === id && heard.content === result,
    400,
    told("An assistant message with 'tool_calls' must be followed by tool messages."),
  );
  return said;
}

export const chatFields = [
  'model',
  'messages',
  'tools',
  'stream',
  'stream_options',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
];

/** Chat completions of a thinking model of OpenAI, behind a gateway: it refuses a temperature, and the length under its old name. */
export const openAiChat: StrictProvider = {
  ...{ name: 'OpenAI chat', provider: 'openai', model: 'gpt-5.1', address: 'HOST/v1/chat/completions', thoughts: null, wantsBack: null },
  answer({ path, body }) {
    refuseUnless(path === '/v1/chat/completions', 404, told(`Invalid URL (POST ${path})`));
    allowOnly(body, chatFields, (name) => new Refused(400, told(`Unrecognized request argument supplied: ${name}`)));
    refuseUnless(
      body.max_tokens === undefined,
      400,
      told("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens'),
    );
    refuseUnless(body.temperature === undefined, 400, told("Unsupported value: 'temperature' does not support 0.7.", 'temperature'));
    if (earlierTurn(body)) return { body: answered(counted) };
    return { body: eventsOf(chunk({ role: 'assistant', content: null, refusal: null }), ...callChunks(), counted, '[DONE]') };
  },
};
