import type { TokenUsage } from '../../../contract/common.ts';
import type { ChatMessage } from './language-model.ts';

/** A rough estimate that needs no tokenizer. */
const charactersPerToken = 4;

/** Estimates the tokens of a question and its answer, for servers that report none. */
export function estimateUsage(messages: readonly ChatMessage[], answer: string): TokenUsage {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0);
  const promptTokens = Math.ceil(asked / charactersPerToken);
  const completionTokens = Math.ceil(answer.length / charactersPerToken);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
