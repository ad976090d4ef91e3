import type { TokenUsage } from '../../contract/common.ts';
import type { Cost } from '../../contract/cost.ts';

/** Prices for a million tokens, in millionths of a currency. */
export type Rates = {
  input: number;
  /** For input that was read from the provider's cache. */
  cachedInput: number;
  /** For input that was written to the cache; absent where writing costs what input does. */
  cacheWrite?: number | undefined;
  output: number;
  reasoning: number;
};

/** The rates of calls whose whole prompt, cached or not, is longer than `above` (tokens). They are for all tokens of such a call, its output too. */
type RateStep = Rates & { above: number };

/** What a model costs. `steps` come in the order of their lengths. */
export type Price = Rates & { currency: string; steps?: readonly RateStep[] | undefined };

/** The largest price for a million tokens: the cost of the largest usage is then an exact integer. */
export const maxPrice = 1_000_000_000_000;

const million = 1_000_000n;

/**
 * Returns the cost of a usage of one call, rounded up to a millionth of the currency. Cached input, input that is written to the cache, and reasoning
 * have prices of their own: they are parts of the input and of the output. A usage without a price has an unknown cost.
 */
export function costOf(usage: TokenUsage, price: Price | null): Cost {
  if (price === null) return { amounts: [], isUnknown: true };
  const rates = ratesOf(price, usage.promptTokens);
  const cached = Math.min(usage.cachedTokens ?? 0, usage.promptTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.promptTokens - cached);
  const reasoning = Math.min(usage.reasoningTokens ?? 0, usage.completionTokens);
  const total =
    BigInt(usage.promptTokens - cached - written) * BigInt(rates.input) +
    BigInt(cached) * BigInt(rates.cachedInput) +
    BigInt(written) * BigInt(rates.cacheWrite ?? rates.input) +
    BigInt(usage.completionTokens - reasoning) * BigInt(rates.output) +
    BigInt(reasoning) * BigInt(rates.reasoning);
  const micros = Number((total + million - 1n) / million);
  return micros === 0 ? noCost : { amounts: [{ currency: price.currency, micros }] };
}

/** Returns the rates of a call with a prompt of this length (tokens). */
function ratesOf(price: Price, promptTokens: number): Rates {
  return price.steps?.findLast(({ above }) => promptTokens > above) ?? price;
}

/**
 * Returns the price of a call with at most `promptTokens` of which it is not known which are cached input, written to the cache, or reasoning: no usage
 * with as many tokens, or fewer, costs more.
 */
export function dearestOf(price: Price, promptTokens: number): Price {
  const reached = [price, ...(price.steps ?? []).filter(({ above }) => promptTokens > above)];
  const input = Math.max(...reached.map((rates) => Math.max(rates.input, rates.cachedInput, rates.cacheWrite ?? 0)));
  const output = Math.max(...reached.map((rates) => Math.max(rates.output, rates.reasoning)));
  return { currency: price.currency, input, cachedInput: input, cacheWrite: input, output, reasoning: output };
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
