import type { TokenUsage } from '../../../../contract/common.ts';

/** Adds up the tokens of all steps. */
export function sumUsage(steps: { usage: TokenUsage | null }[]): TokenUsage {
  const sum = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  for (const { usage } of steps) {
    sum.promptTokens += usage?.promptTokens ?? 0;
    sum.completionTokens += usage?.completionTokens ?? 0;
    sum.totalTokens += usage?.totalTokens ?? 0;
  }
  return sum;
}
