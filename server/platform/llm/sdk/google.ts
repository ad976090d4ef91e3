import { z } from 'zod';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { type Protocol, refuseError } from './exchange.ts';

const usage = z.object({
  promptTokenCount: tokenCount,
  toolUsePromptTokenCount: tokenCount,
  candidatesTokenCount: tokenCount,
  thoughtsTokenCount: tokenCount,
  cachedContentTokenCount: tokenCount,
});

const event = z.looseObject({
  candidates: z.array(z.looseObject({ finishReason: z.string().nullish() })).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: usage.nullish().catch(null),
});

/** Google's Gemini API. */
export const google: Protocol = {
  options: () => ({}),
  async open({ baseURL, model, fetch }) {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ baseURL, fetch, apiKey: 'none' })(model);
  },
  *eventsOf(body) {
    for (const one of Array.isArray(body) ? body : [body]) yield one;
  },
  async *clean(events, exchange) {
    for await (const data of events) {
      refuseError(data);
      const { usageMetadata: spent, ...told } = event.parse(data);
      if (spent && (spent.promptTokenCount != null || spent.candidatesTokenCount != null)) {
        const prompt = (spent.promptTokenCount ?? 0) + (spent.toolUsePromptTokenCount ?? 0);
        const thoughts = spent.thoughtsTokenCount ?? 0;
        exchange.usage = toTokenUsage(prompt, (spent.candidatesTokenCount ?? 0) + thoughts, {
          cached: spent.cachedContentTokenCount,
          reasoning: thoughts,
        });
      }
      if (told.candidates?.[0]?.finishReason || told.promptFeedback?.blockReason) exchange.isWhole = true;
      yield told;
    }
  },
};
