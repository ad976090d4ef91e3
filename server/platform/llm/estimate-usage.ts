import type { TokenUsage } from '../../../contract/common.ts';

/** A rough estimate that needs no tokenizer. */
const charactersPerToken = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Estimates the tokens of the texts of a question and of its answer, for servers that report none. */
export function estimateUsage(asked: readonly string[], answer: string): TokenUsage {
  const promptTokens = Math.ceil(asked.reduce((sum, { length }) => sum + length, 0) / charactersPerToken);
  const completionTokens = estimateTokens(answer);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
