import { z } from 'zod';
import type { TokenUsage } from '../../../../contract/common.ts';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { withCacheBorders } from './cache-borders.ts';
import { type Protocol, refuseError } from './exchange.ts';

const usage = z.object({
  input_tokens: tokenCount,
  cache_creation_input_tokens: tokenCount,
  cache_read_input_tokens: tokenCount,
  output_tokens: tokenCount,
});
type Usage = z.infer<typeof usage>;

const event = z.looseObject({
  type: z.string(),
  message: z.looseObject({ usage: usage.nullish() }).nullish(),
  delta: z.looseObject({ stop_reason: z.string().nullish() }).nullish(),
  usage: usage.nullish(),
});

const block = z.looseObject({ type: z.string() });
const whole = z.object({ content: z.array(block), stop_reason: z.string(), usage: z.unknown().optional() });

/** Anthropic's Messages API, and gateways that speak it. */
export const anthropic: Protocol = {
  // The library would ask for tools in a form of its own that gateways refuse.
  options: () => ({ anthropic: { toolStreaming: false } }),
  markBorders: withCacheBorders,
  async open({ baseURL, model, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL, fetch, apiKey: 'none' })(model);
  },
  *eventsOf(body) {
    refuseError(body);
    const { content, stop_reason, usage: spent } = whole.parse(body);
    yield { type: 'message_start', message: {} };
    for (const [index, part] of content.entries()) yield* eventsOfBlock(part, index);
    yield { type: 'message_delta', delta: { stop_reason }, usage: spent };
    yield { type: 'message_stop' };
  },
  async *clean(events, exchange) {
    let spent: Usage = {};
    for await (const data of events) {
      refuseError(data);
      const { message, usage: latest, ...told } = event.parse(data);
      spent = { ...spent, ...message?.usage, ...latest };
      exchange.usage = usageOf(spent);
      if (told.delta?.stop_reason) exchange.isWhole = true;
      const counts = { input_tokens: spent.input_tokens ?? 0, output_tokens: spent.output_tokens ?? 0 };
      if (told.delta?.text === '') continue;
      if (told.type === 'message_start') yield { ...told, message: { role: 'assistant', usage: counts } };
      else if (told.type === 'message_delta') yield { ...told, usage: counts };
      else yield told;
      if (told.type === 'message_stop') return;
    }
  },
};

/** A block as it would have been streamed. */
function* eventsOfBlock(part: z.infer<typeof block>, index: number): Generator<object> {
  const { type, text, thinking, signature, input } = part;
  yield { type: 'content_block_start', index, content_block: { ...part, ...blankOf(type) } };
  const deltas = [
    ...(type === 'text' ? [{ type: 'text_delta', text }] : []),
    ...(type === 'thinking' ? [{ type: 'thinking_delta', thinking }] : []),
    ...(signature ? [{ type: 'signature_delta', signature }] : []),
    ...(type === 'tool_use' ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : []),
  ];
  for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
  yield { type: 'content_block_stop', index };
}

function blankOf(type: string): object {
  if (type === 'tool_use') return { input: {} };
  return type === 'text' ? { text: '' } : type === 'thinking' ? { thinking: '' } : {};
}

function usageOf(spent: Usage): TokenUsage | null {
  if (spent.input_tokens == null && spent.output_tokens == null) return null;
  const prompt = (spent.input_tokens ?? 0) + (spent.cache_creation_input_tokens ?? 0) + (spent.cache_read_input_tokens ?? 0);
  return toTokenUsage(prompt, spent.output_tokens ?? 0, { cached: spent.cache_read_input_tokens });
}
