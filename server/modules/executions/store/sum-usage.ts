import type { TokenUsage } from '../../../../contract/common.ts';

/** Adds up the tokens of all steps. */
export function sumUsage(steps: readonly { usage: TokenUsage | null }[]): TokenUsage {
  const sum = { promptTokens: 0, completionTokens: 0, totalTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  for (const { usage } of steps) {
    sum.promptTokens += usage?.promptTokens ?? 0;
    sum.completionTokens += usage?.completionTokens ?? 0;
    sum.totalTokens += usage?.totalTokens ?? 0;
    sum.cachedTokens += usage?.cachedTokens ?? 0;
    sum.cacheWriteTokens += usage?.cacheWriteTokens ?? 0;
    sum.reasoningTokens += usage?.reasoningTokens ?? 0;
  }
  const { cachedTokens, cacheWriteTokens, reasoningTokens, ...all } = sum;
  return {
    ...all,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  };
}
