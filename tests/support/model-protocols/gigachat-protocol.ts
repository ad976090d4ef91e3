import { openAiProtocol } from './openai-protocol.ts';
import type { Protocol } from './protocol.ts';

/** Chat completions of Sber: usage in the last chunk, its own finish reason for blocked content, flat errors. */
export const gigaChatProtocol: Protocol = {
  ...openAiProtocol,
  end: (why) => {
    const reason = { stop: 'stop', length: 'length', refused: 'blacklist' }[why];
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, precached_prompt_tokens: 0 };
    const chunk = { choices: [{ delta: { content: '' }, index: 0, finish_reason: reason }], usage, created: 0, model: 'GigaChat' };
    return `data: ${JSON.stringify({ ...chunk, object: 'chat.completion' })}\n\ndata: [DONE]\n\n`;
  },
  refusal: (status, message) => ({ status, message }),
};
