import { z } from 'zod';
import { providerTypes } from '../../../contract/agent.ts';
import { currency } from '../../../contract/cost.ts';
import { maxPrice } from '../../../rules/cost/cost-of.ts';

const price = z.int().min(0).max(maxPrice);

/** Prices for a million tokens, in millionths of the currency. */
const rates = {
  input: price,
  cachedInput: price,
  /** For input that is written to the cache; what input costs where it is left out. */
  cacheWrite: price.optional(),
  output: price,
  reasoning: price,
};
const hour = z.int().min(0).max(24);

/** A line of a price file. */
const priceLine = z.strictObject({
  provider: z.enum(providerTypes).exclude(['simulated']),
  model: z.string().min(1).max(200),
  /** The host of the model's server as its address has it; the provider's own where it is left out. */
  host: z.string().min(1).max(300).optional(),
  /** A day or a moment in UTC. */
  validFrom: z.iso.date().or(z.iso.datetime()),
  currency,
  ...rates,
  /** The prices of calls whose prompt is longer than `above` (tokens), cached input with it: for the whole call, and in the order of their lengths. */
  steps: z
    .array(z.strictObject({ above: z.int().min(1), ...rates }))
    .min(1)
    .refine((steps) => steps.every(({ above }, index) => index === 0 || above > (steps[index - 1]?.above ?? 0)))
    .optional(),
  /** Other prices at certain hours (UTC, from the first to before the second) of these days of the week, of which 0 is Sunday. */
  peak: z
    .strictObject({
      days: z.array(z.int().min(0).max(6)).min(1),
      hours: z.array(z.tuple([hour, hour]).refine(([from, to]) => from < to)).min(1),
      rates: z.strictObject(rates),
    })
    .optional(),
  /** The page that tells the price, where it was read in place of it, and the day of what was read: it may have changed since. */
  source: z.string().max(500).optional(),
  via: z.string().max(500).optional(),
  checked: z.iso.date().optional(),
});
export type PriceLine = z.infer<typeof priceLine>;

/** A line of a price file that cannot be used. */
export class PriceError extends Error {}

/**
 * Reads the lines of a price file: one JSON object each; blank lines are left out. Throws a PriceError that names the file and the first line that
 * has a wrong, missing or unknown field, or repeats an earlier line.
 */
export function readPrices(text: string, file: string): PriceLine[] {
  const found = new Map<string, number>();
  return text.split('\n').flatMap((content, index) => {
    if (content.trim() === '') return [];
    const wrong = (why: string) => new PriceError(`${file}, line ${index + 1}: ${why}`);
    const parsed = priceLine.safeParse(parseLine(content, wrong));
    if (!parsed.success) throw wrong(sentenceOf(parsed.error.issues[0]));
    const line = parsed.data;
    const key = JSON.stringify([line.provider, line.model, line.host, Date.parse(line.validFrom)]);
    const earlier = found.get(key);
    if (earlier !== undefined) throw wrong(`repeats line ${earlier}: the same model at the same time.`);
    found.set(key, index + 1);
    return [line];
  });
}

function parseLine(content: string, wrong: (why: string) => PriceError): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw wrong('is no JSON object.');
  }
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is wrong.';
  if (issue.code === 'unrecognized_keys') return `has an unknown field, "${issue.keys[0]}".`;
  const field = issue.path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.');
  const last = String(issue.path.at(-1));
  if (field === '') return 'is no JSON object.';
  if (last in rates) return `"${field}" must be a whole number from 0 to ${maxPrice}: millionths of the currency for a million tokens.`;
  if (field.startsWith('steps'))
    return `"${field}" is wrong: each step names the tokens of a prompt above which it counts, more than the step before, and all prices.`;
  if (field.startsWith('peak')) return `"${field}" is wrong: it has days from 0 to 6, hours such as [1, 4], and prices.`;
  if (field === 'currency') return '"currency" must be a code of three capital letters, such as USD.';
  if (field === 'validFrom' || field === 'checked') return `"${field}" must be a day, such as 2026-01-31.`;
  if (field === 'provider') return `"provider" must be one of ${priceLine.shape.provider.options.join(', ')}.`;
  return `"${field}" is missing or wrong.`;
}
