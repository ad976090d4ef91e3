const event = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const raw = (json: string) => `data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}],"more":${json}}\n\n`;

/** Model streams with the highest cost for their reader, within and beyond its limits. */
export const worstStreams: Record<string, string> = {
  'a whole answer in one event': event('x'.repeat(1_000_000)) + end,
  'an answer of escapes': event('\u0001'.repeat(600_000)) + end,
  'an event a character': event('x').repeat(50_000) + end,
  'empty lines': event('x') + '\n'.repeat(4_000_000) + end,
  'empty lines of two characters': event('x') + '\r\n'.repeat(2_000_000) + end,
  comments: event('x') + ':\n'.repeat(2_000_000) + end,
  'an event of many lines': `${'data: \n'.repeat(500_000)}\n${end}`,
  'an event of many values': raw(`[${'0,'.repeat(90_000)}0]`) + end,
  'an event of too many values': raw(`[${'0,'.repeat(900_000)}0]`) + end,
  'a deep event': raw('['.repeat(90) + ']'.repeat(90)) + end,
  'an event that is too deep': raw('['.repeat(500_000) + ']'.repeat(500_000)) + end,
  'a line that never ends': `data: ${'x'.repeat(5_000_000)}`,
};
