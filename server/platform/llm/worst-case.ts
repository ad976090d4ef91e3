import type { TokenUsage } from '../../../contract/common.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { Conversation, ModelOutcome } from './language-model.ts';
import { toTokenUsage } from './token-count.ts';

/**
 * Bytes of UTF-8 for one token, fewer than prose and code of any script have. A tokenizer of each provider would be exact, and each is a large
 * dependency that ages.
 */
const bytesPerToken = 2;
/** Tokens that separate messages and describe them. */
const tokensPerMessage = 16;

/** Returns the most that a call can use: its counted input, and all the output that it asks for. */
export function worstCaseOf(conversation: Conversation): TokenUsage {
  const texts = textsOf(conversation);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return toTokenUsage(Math.ceil(bytes / bytesPerToken) + tokensPerMessage * texts.length, conversation.maxTokens);
}

/** Returns the usage of a call that has ended: as its server reports it, else estimated from the texts. Null for a call that was refused. */
export function usageOf(
  outcome: ModelOutcome | null,
  conversation: Conversation,
  arrived: string,
): { usage: TokenUsage; isEstimated: boolean } | null {
  if (outcome?.ok && outcome.value.usage !== null) return { usage: outcome.value.usage, isEstimated: false };
  const hasBegun = outcome === null || outcome.ok || outcome.error.code === 'aborted' || arrived !== '';
  if (!hasBegun) return null;
  const texts = textsOf(conversation);
  return { usage: estimateUsage(texts, arrived), isEstimated: true };
}

function textsOf({ messages, turns = [], tools = [] }: Conversation): string[] {
  return [
    ...messages.map(({ content }) => content),
    ...turns.flatMap(({ text, calls }) => [text, ...calls.flatMap((call) => [call.arguments, call.result])]),
    ...tools.map((tool) => JSON.stringify(tool)),
  ];
}
