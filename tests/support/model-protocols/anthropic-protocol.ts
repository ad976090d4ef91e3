import type { Protocol } from './protocol.ts';

/** Anthropic's Messages API: named events, with thoughts and text in separate blocks. */
export const anthropicProtocol: Protocol = {
  begin: () => {
    const usage = { input_tokens: 12, cache_read_input_tokens: 8, cache_creation_input_tokens: 0, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'test', stop_reason: null, usage };
    return event('message_start', { message }) + event('ping', {}) + event('content_block_start', { index: 0, content_block: blank });
  },
  thought: (piece) => event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: piece } }),
  text: (piece) => event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: piece } }),
  calls: (calls) => {
    const blocks = calls.map(({ id, name, arguments: text }, at) => {
      const index = at + 2;
      const pieces = (text.match(/[\s\S]{1,7}/g) ?? []).map((piece) =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } }),
      );
      const begin = event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } });
      return begin + pieces.join('') + event('content_block_stop', { index });
    });
    const delta = { stop_reason: 'tool_use', stop_sequence: null };
    return blocks.join('') + event('message_delta', { delta, usage: { output_tokens: 10 } }) + event('message_stop', {});
  },
  end: (why) => {
    const reason = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' }[why];
    const delta = { stop_reason: reason, stop_sequence: null };
    return event('message_delta', { delta, usage: { output_tokens: 10 } }) + event('message_stop', {});
  },
  failure: (message) => event('error', { error: { type: 'overloaded_error', message } }),
  whole: (text) => ({ type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  wholeCalls: (text, calls) => {
    const blocks = calls.map(({ id, name, arguments: written }) => ({ type: 'tool_use', id, name, input: JSON.parse(written) }));
    const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...blocks];
    return { type: 'message', role: 'assistant', content, stop_reason: 'tool_use' };
  },
  refusal: (_status, message) => ({ type: 'error', error: { type: 'scripted_error', message }, request_id: 'req_1' }),
};

const blank = { type: 'text', text: '' };

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
