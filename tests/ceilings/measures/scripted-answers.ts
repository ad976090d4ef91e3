/** Answers of model servers in one or many pieces, in the events of each protocol. */
export type ScriptedAnswer = { chunks: Buffer[]; bytes: number };

const piece = 'A piece of it. ';
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const choice = (delta: object, finish_reason: string | null = null) => ({ ...head, choices: [{ index: 0, delta, finish_reason }] });
const chatUsage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] as object[] };
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const claudeUsage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 8, output_tokens: 1 };
const claude = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', content: [], stop_reason: null };
const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
const candidate = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  ...{ usageMetadata, modelVersion: 'gemini-3-pro-preview', responseId: 'r1' },
});

const chat = {
  begin: [choice({ role: 'assistant', content: '' })],
  piece: choice({ content: piece }),
  end: () => [choice({}, 'stop'), { ...head, choices: [], usage: chatUsage }, '[DONE]'] as (object | string)[],
};

/** The events before, of and after the pieces of an answer. */
const protocols = {
  chat,
  gigachat: chat,
  responses: {
    begin: [
      { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5.1' } },
      { type: 'response.output_item.added', output_index: 0, item: message },
      { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } },
    ],
    piece: { type: 'response.output_text.delta', ...place, delta: piece },
    end: (pieces: number) => {
      const text = piece.repeat(pieces);
      const item = { ...message, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
      const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
      return [
        { type: 'response.output_text.done', ...place, text },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage } },
      ];
    },
  },
  anthropic: {
    begin: [
      { type: 'message_start', message: { ...claude, usage: claudeUsage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    piece: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } },
    end: () => [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ],
  },
  google: { begin: [], piece: candidate(piece), end: () => [candidate('', { finishReason: 'STOP' })] },
};
export type CalledProtocol = keyof typeof protocols;

/** The longest chunk that a socket brings (bytes). */
const socketBytes = 16_384;

/** How an answer arrives: as fast as a socket brings it, or one event at a time. */
export type Arrival = 'together' | 'one by one';

/** Writes an answer as it arrives from its server. */
export function scriptAnswer(protocol: CalledProtocol, pieces: number, arrival: Arrival): ScriptedAnswer {
  const { begin, piece: one, end } = protocols[protocol];
  const events = [...begin, ...Array.from({ length: pieces }, () => one), ...end(pieces)];
  const written = events.map((event) => Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`));
  const whole = Buffer.concat(written);
  const together = Array.from({ length: Math.ceil(whole.length / socketBytes) }, (_, at) =>
    whole.subarray(at * socketBytes, (at + 1) * socketBytes),
  );
  return { chunks: arrival === 'together' ? together : written, bytes: whole.length };
}

/** The text that a reader gets of it. */
export const textOfAnswer = (pieces: number): string => piece.repeat(pieces);
