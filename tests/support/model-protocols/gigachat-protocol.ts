import { openAiProtocol } from './openai-protocol.ts';
import type { Protocol, ScriptedCall } from './protocol.ts';

/** One call a turn, with its arguments as an object, and an id that the server wants back. */
function functionCall(call: ScriptedCall | undefined): object {
  if (!call) return {};
  return { function_call: { name: call.name, arguments: JSON.parse(call.arguments) }, functions_state_id: call.id };
}

/** Chat completions of Sber: usage in the last chunk, its own finish reason for blocked content, flat errors. */
export const gigaChatProtocol: Protocol = {
  ...openAiProtocol,
  end: (why) => {
    const reason = { stop: 'stop', length: 'length', refused: 'blacklist' }[why];
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, precached_prompt_tokens: 0 };
    const chunk = { choices: [{ delta: { content: '' }, index: 0, finish_reason: reason }], usage, created: 0, model: 'GigaChat' };
    return `data: ${JSON.stringify({ ...chunk, object: 'chat.completion' })}\n\ndata: [DONE]\n\n`;
  },
  calls: ([call]) => {
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, precached_prompt_tokens: 0 };
    const delta = { role: 'assistant', content: '', ...functionCall(call) };
    const chunk = { choices: [{ delta, index: 0 }], created: 0, model: 'GigaChat', object: 'chat.completion' };
    const end = { choices: [{ delta: { content: '' }, index: 0, finish_reason: 'function_call' }], usage, created: 0, model: 'GigaChat' };
    return `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`;
  },
  wholeCalls: (text, [call]) => ({
    choices: [{ message: { role: 'assistant', content: text, ...functionCall(call) }, index: 0, finish_reason: 'function_call' }],
    ...{ created: 0, model: 'GigaChat', object: 'chat.completion' },
  }),
  refusal: (status, message) => ({ status, message }),
};
