import type { Protocol } from './protocol.ts';

/** Chat completions in the format of OpenAI and many other providers. */
export const openAiProtocol: Protocol = {
  begin: () => event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  thought: (piece) => event({ choices: [{ index: 0, delta: { reasoning_content: piece } }] }),
  text: (piece) => event({ choices: [{ index: 0, delta: { content: piece } }] }),
  calls: (calls) => {
    const begun = calls.map(({ id, name }, index) => toolCalls({ index, id, type: 'function', function: { name, arguments: '' } }));
    const pieces = calls.flatMap(({ arguments: text }, index) =>
      (text.match(/[\s\S]{1,7}/g) ?? []).map((piece) => toolCalls({ index, function: { arguments: piece } })),
    );
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    const end = event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) + event({ choices: [], usage });
    return `${begun.join('')}${pieces.join('')}${end}data: [DONE]\n\n`;
  },
  end: (why) => {
    const reason = { stop: 'stop', length: 'length', refused: 'content_filter' }[why];
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    return `${event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}${event({ choices: [], usage })}data: [DONE]\n\n`;
  },
  failure: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error' } })}\n\n`,
  whole: (text) => ({ choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }),
  wholeCalls: (text, calls) => {
    const tool_calls = calls.map(({ id, name, arguments: written }) => ({ id, type: 'function', function: { name, arguments: written } }));
    const message = { role: 'assistant', content: text === '' ? null : text, tool_calls };
    return { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
  },
  refusal: (_status, message) => ({ error: { message, type: 'scripted' } }),
};

function toolCalls(call: object): string {
  return event({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
}

function event(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'test', ...chunk })}\n\n`;
}
