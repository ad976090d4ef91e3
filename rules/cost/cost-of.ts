import type { TokenUsage } from '../../contract/common.ts';
import type { Cost } from '../../contract/cost.ts';

/** Prices for a million tokens, in millionths of the currency. */
export type Price = { currency: string; input: number; cachedInput: number; output: number; reasoning: number };

/** The largest price for a million tokens: the cost of the largest usage is then an exact integer. */
export const maxPrice = 1_000_000_000_000;

const million = 1_000_000n;

/**
 * Returns the cost of a usage, rounded up to a millionth of the currency. Cached input and reasoning have prices of their own: they are parts of
 * the input and of the output. A usage without a price has an unknown cost.
 */
export function costOf(usage: TokenUsage, price: Price | null): Cost {
  if (price === null) return { amounts: [], isUnknown: true };
  const cached = Math.min(usage.cachedTokens ?? 0, usage.promptTokens);
  const reasoning = Math.min(usage.reasoningTokens ?? 0, usage.completionTokens);
  const total =
    BigInt(usage.promptTokens - cached) * BigInt(price.input) +
    BigInt(cached) * BigInt(price.cachedInput) +
    BigInt(usage.completionTokens - reasoning) * BigInt(price.output) +
    BigInt(reasoning) * BigInt(price.reasoning);
  const micros = Number((total + million - 1n) / million);
  return micros === 0 ? noCost : { amounts: [{ currency: price.currency, micros }] };
}

/** Returns the price of tokens of which it is not known which are cached input, or reasoning: no usage of as many tokens costs more. */
export function dearestOf(price: Price): Price {
  const [input, output] = [Math.max(price.input, price.cachedInput), Math.max(price.output, price.reasoning)];
  return { ...price, input, cachedInput: input, output, reasoning: output };
}

export const noCost: Cost = { amounts: [] };

/** Adds costs up: amounts of the same currency, in the order of the currencies' names. */
export function addCosts(costs: readonly (Cost | null | undefined)[]): Cost {
  const known = costs.filter((one) => one != null);
  const byCurrency = new Map<string, number>();
  for (const { currency, micros } of known.flatMap(({ amounts }) => amounts))
    byCurrency.set(currency, Math.min((byCurrency.get(currency) ?? 0) + micros, Number.MAX_SAFE_INTEGER));
  const amounts = [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, micros]) => ({ currency, micros }));
  return {
    amounts,
    ...(known.some(({ isUnknown }) => isUnknown) && { isUnknown: true as const }),
    ...(known.some(({ isEstimated }) => isEstimated) && { isEstimated: true as const }),
  };
}

/** Returns the mean of costs, of one at least. */
export function meanCost(costs: readonly Cost[]): Cost {
  const sum = addCosts(costs);
  return { ...sum, amounts: sum.amounts.map(({ currency, micros }) => ({ currency, micros: Math.round(micros / costs.length) })) };
}
