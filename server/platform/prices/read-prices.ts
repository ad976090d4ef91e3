import { z } from 'zod';
import { providerTypes } from '../../../contract/agent.ts';
import { currency } from '../../../contract/cost.ts';
import { maxPrice } from '../../../rules/cost/cost-of.ts';

const price = z.int().min(0).max(maxPrice);

/** A line of a price file. Prices are for a million tokens, in millionths of the currency. */
const priceLine = z.strictObject({
  provider: z.enum(providerTypes).exclude(['simulated']),
  model: z.string().min(1).max(200),
  /** The host of the model's server as its address has it; the provider's own where it is left out. */
  host: z.string().min(1).max(300).optional(),
  /** A day or a moment in UTC. */
  validFrom: z.iso.date().or(z.iso.datetime()),
  currency,
  input: price,
  cachedInput: price,
  output: price,
  reasoning: price,
  /** Where the price was read, and when. */
  source: z.string().max(500).optional(),
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
  const field = issue.path.join('.');
  if (field === '') return 'is no JSON object.';
  if (['input', 'cachedInput', 'output', 'reasoning'].includes(field))
    return `"${field}" must be a whole number from 0 to ${maxPrice}: millionths of the currency for a million tokens.`;
  if (field === 'currency') return '"currency" must be a code of three capital letters, such as USD.';
  if (field === 'validFrom' || field === 'checked') return `"${field}" must be a day, such as 2026-01-31.`;
  if (field === 'provider') return `"provider" must be one of ${priceLine.shape.provider.options.join(', ')}.`;
  return `"${field}" is missing or wrong.`;
}
