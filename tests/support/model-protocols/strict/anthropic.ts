import { allowOnly, refuseUnless, result, type StrictProvider } from './strict-provider.ts';
import { namedEvents, Refused } from './strict-server.ts';

const told = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const signature = 'EqQBCkgIARABGAIiQL+signed+thoughts==';
const thinking = 'I need the file.';
const usage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 8, output_tokens: 1 };
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', content: [], stop_reason: null, usage };
const begun = { type: 'message_start', ...{ message } };
const end = (stop_reason: string) => [
  { type: 'message_delta', ...{ delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } } },
  { type: 'message_stop' },
];
const delta = (index: number, more: object) => ({ type: 'content_block_delta', ...{ index, delta: more } });
const open = (index: number, content_block: object) => ({ type: 'content_block_start', ...{ index, content_block } });
const close = (index: number) => ({ type: 'content_block_stop', ...{ index } });

/** Anthropic's Messages API with thinking: its signed block must come back unchanged before the call. */
export const anthropicMessages: StrictProvider = {
  ...{ name: 'Anthropic with thinking', provider: 'anthropic', model: 'claude-sonnet-4-6', address: 'HOST', thoughts: thinking },
  wantsBack: 'Expected `thinking`',
  answer({ path, headers, body }) {
    refuseUnless(path === '/v1/messages', 404, told('Not Found', 'not_found_error'));
    refuseUnless(
      headers['x-api-key'] === 'key-0123456789' && headers.authorization === undefined,
      401,
      told('invalid x-api-key', 'authentication_error'),
    );
    refuseUnless(headers['anthropic-version'] === '2023-06-01', 400, told('anthropic-version: header is required'));
    allowOnly(
      body,
      ['model', 'messages', 'system', 'max_tokens', 'tools', 'stream', 'temperature', 'thinking', 'output_config', 'tool_choice'],
      (name) => new Refused(400, told(`${name}: Extra inputs are not permitted`)),
    );
    for (const tool of body.tools ?? [])
      allowOnly(
        tool,
        ['name', 'description', 'input_schema', 'cache_control'],
        (name) => new Refused(400, told(`tools.0.${name}: Extra inputs are not permitted`)),
      );
    refuseUnless(Number.isInteger(body.max_tokens), 400, told('max_tokens: Field required'));
    refuseUnless(
      body.temperature === undefined || body.temperature === 1,
      400,
      told('`temperature` may only be set to 1 when thinking is enabled.'),
    );
    const said = body.messages.find(({ role }: { role: string }) => role === 'assistant')?.content;
    if (!said) {
      return {
        body: namedEvents(
          ...[begun, { type: 'ping' }, open(0, { type: 'thinking', thinking: '', signature: '' })],
          ...[delta(0, { type: 'thinking_delta', thinking: 'I need ' }), delta(0, { type: 'thinking_delta', thinking: 'the file.' })],
          ...[delta(0, { type: 'signature_delta', signature }), close(0)],
          ...[open(1, { type: 'redacted_thinking', data: 'EmwKAhgB' }), close(1)],
          ...[open(2, { type: 'text', text: '' }), delta(2, { type: 'text_delta', text: 'Let me look.' }), close(2)],
          ...[
            open(3, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }),
            delta(3, { type: 'input_json_delta', partial_json: '{"path":' }),
          ],
          ...[delta(3, { type: 'input_json_delta', partial_json: '"a.txt"}' }), close(3), ...end('tool_use')],
        ),
      };
    }
    const [first, redacted, , call] = said;
    refuseUnless(
      first?.type === 'thinking',
      400,
      told('messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.'),
    );
    refuseUnless(
      first.signature === signature && first.thinking === thinking,
      400,
      told('messages.1.content.0: Invalid `signature` in `thinking` block'),
    );
    refuseUnless(
      redacted?.type === 'redacted_thinking' && redacted.data === 'EmwKAhgB',
      400,
      told('messages.1.content.1: Invalid `data` in `redacted_thinking` block'),
    );
    const [heard] = body.messages.at(-1).content;
    refuseUnless(
      call?.type === 'tool_use' && call.id === 'toolu_1' && call.input.path === 'a.txt',
      400,
      told('messages.1.content.3: changed'),
    );
    refuseUnless(
      heard?.type === 'tool_result' && heard.tool_use_id === 'toolu_1' && heard.content === result,
      400,
      told('unexpected `tool_use_id` found in `tool_result` blocks'),
    );
    return {
      body: namedEvents(
        begun,
        open(0, { type: 'text', text: '' }),
        delta(0, { type: 'text_delta', text: 'It says hello.' }),
        close(0),
        ...end('end_turn'),
      ),
    };
  },
};
