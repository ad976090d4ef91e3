import type { TokenUsage } from '../../../contract/common.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { Conversation, ModelOutcome, UsedByFailure } from './language-model.ts';
import { imagesOf } from './prompt-length.ts';
import { toTokenUsage } from './token-count.ts';

/**
 * Bytes of UTF-8 for one token, fewer than prose and code of any script have. A tokenizer of each provider would be exact, and each is a large
 * dependency that ages.
 */
const bytesPerToken = 2;
/** Tokens that separate messages and describe them. */
export const tokensPerMessage = 16;

/** The tokens that are reserved for an answer whose length the request does not limit. A call that is reserved asks for no more. */
export const longestAnswer = 32_000;

/** The most tokens of one image, at the size to which providers bring it. */
export const tokensPerImage = 2_000;

/** Estimates what a call has used whose server reports nothing: its texts, its images and what has arrived. */
function estimateOf(conversation: Conversation, arrived: string): TokenUsage {
  const { promptTokens, completionTokens } = estimateUsage(textsOf(conversation), arrived);
  return toTokenUsage(promptTokens + tokensPerImage * imagesOf(conversation).length, completionTokens);
}

/** Returns the most that a call can use: its counted input, and all the output that it asks for. Without a length its output is reserved as usual. */
export function worstCaseOf(conversation: Conversation): TokenUsage {
  const texts = textsOf(conversation);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / bytesPerToken) + tokensPerMessage * texts.length + tokensPerImage * imagesOf(conversation).length;
  return toTokenUsage(tokens, conversation.maxTokens ?? longestAnswer);
}

/** Returns the least that a call has used whose end is not known: its input, estimated. */
export function leastOf(conversation: Conversation): TokenUsage {
  return estimateOf(conversation, '');
}

/**
 * Returns the usage of a call that has ended: as its server reports it, else estimated from the texts. Null for a call that was refused before
 * its answer began.
 */
export function usageOf(
  outcome: ModelOutcome | null,
  conversation: () => Conversation,
  arrived: string,
): { usage: TokenUsage; isEstimated: boolean } | null {
  const used = usedBy(outcome);
  if (used === null) return null;
  const { reported, isWhole } = used;
  if (reported && isWhole) return { usage: reported, isEstimated: false };
  const estimate = estimateOf(conversation(), arrived);
  if (!reported) return { usage: estimate, isEstimated: true };
  // The beginning of an answer reports the input, and not yet the output.
  const { promptTokens, completionTokens, cachedTokens: cached, cacheWriteTokens: cacheWrite, reasoningTokens: reasoning } = reported;
  const parts = { cached, cacheWrite, reasoning };
  const usage = toTokenUsage(promptTokens, Math.max(completionTokens, estimate.completionTokens), parts);
  return { usage, isEstimated: true };
}

/** What a call has reported that has used anything. An aborted call may have reached its server. */
function usedBy(outcome: ModelOutcome | null): UsedByFailure | null {
  if (outcome?.ok) return { reported: outcome.value.usage, isWhole: true };
  if (outcome?.error.used) return outcome.error.used;
  return outcome === null || outcome.error.code === 'aborted' ? { reported: null, isWhole: false } : null;
}

function textsOf({ messages, turns = [], tools = [] }: Conversation): string[] {
  return [
    ...messages.map(({ content }) => content),
    ...turns.flatMap(({ text, calls }) => [text, ...calls.flatMap((call) => [call.arguments, call.result])]),
    ...tools.map((tool) => JSON.stringify(tool)),
  ];
}
