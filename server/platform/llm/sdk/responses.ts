import { z } from 'zod';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { type Protocol, refuseError } from './exchange.ts';

const usage = z.object({
  input_tokens: tokenCount,
  output_tokens: tokenCount,
  input_tokens_details: z.object({ cached_tokens: tokenCount }).nullish().catch(null),
  output_tokens_details: z.object({ reasoning_tokens: tokenCount }).nullish().catch(null),
});
const event = z.looseObject({ type: z.string(), response: z.looseObject({ usage: usage.nullish().catch(null) }).nullish() });
const item = z.looseObject({ type: z.string(), id: z.string().nullish() });
const whole = z.looseObject({ status: z.string(), output: z.array(item) });

/** OpenAI's Responses API. Nothing is stored there: reasoning comes back encrypted, and is sent again. */
export const responses: Protocol = {
  options: ({ cacheKey }) => ({ openai: { store: false, ...(cacheKey !== undefined && { promptCacheKey: cacheKey }) } }),
  async open({ baseURL, model, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL, fetch, apiKey: 'none' }).responses(model);
  },
  *eventsOf(body) {
    refuseError(body);
    const response = whole.parse(body);
    for (const [output_index, one] of response.output.entries()) {
      yield { type: 'response.output_item.added', output_index, item: one };
      for (const delta of textsOf(one)) yield { type: 'response.output_text.delta', item_id: one.id, output_index, delta };
      yield { type: 'response.output_item.done', output_index, item: one };
    }
    yield { type: `response.${response.status}`, response };
  },
  async *clean(events, exchange) {
    for await (const data of events) {
      refuseError(data);
      const told = event.parse(data);
      const spent = told.response?.usage;
      if (spent && (spent.input_tokens != null || spent.output_tokens != null))
        exchange.usage = toTokenUsage(spent.input_tokens ?? 0, spent.output_tokens ?? 0, {
          cached: spent.input_tokens_details?.cached_tokens,
          reasoning: spent.output_tokens_details?.reasoning_tokens,
        });
      const isEnd = told.type === 'response.completed' || told.type === 'response.incomplete';
      if (isEnd) exchange.isWhole = true;
      yield isEnd ? { ...told, response: { ...told.response, usage: null } } : told;
      if (isEnd) return;
    }
  },
};

function textsOf({ content }: z.infer<typeof item>): string[] {
  const parts = z.array(z.looseObject({ text: z.string() })).safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text) : [];
}
