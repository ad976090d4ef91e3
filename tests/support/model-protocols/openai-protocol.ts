import type { Protocol } from './protocol.ts';

/** Chat completions in the format of OpenAI and many other providers. */
export const openAiProtocol: Protocol = {
  begin: () => event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  thought: (piece) => event({ choices: [{ index: 0, delta: { reasoning_content: piece } }] }),
  text: (piece) => event({ choices: [{ index: 0, delta: { content: piece } }] }),
  end: (why) => {
    const reason = { stop: 'stop', length: 'length', refused: 'content_filter' }[why];
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    return `${event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}${event({ choices: [], usage })}data: [DONE]\n\n`;
  },
  failure: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error' } })}\n\n`,
  whole: (text) => ({ choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }),
  refusal: (_status, message) => ({ error: { message, type: 'scripted' } }),
};

function event(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'test', ...chunk })}\n\n`;
}
