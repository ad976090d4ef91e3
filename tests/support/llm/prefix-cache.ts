import { countTokens } from '../../../server/platform/llm/fit/count-tokens.ts';

/** Servers that cache by themselves keep beginnings of this length at the least, and in such steps (tokens). */
const automatic = { least: 1_024, step: 128 };
/** Anthropic looks for a kept beginning so many blocks before a border, and takes so many borders in one request. */
const lookBack = 20;
const maxBorders = 4;

/** The parts of a prompt in the order in which the model reads them; `isBorder`: the server keeps the beginning up to it. */
export type PromptBlock = { text: string; isBorder: boolean };

export type CachedInput = { input: number; cached: number };

/** Counts how much of each prompt a server has read before, as OpenAI does it by itself, and Anthropic up to the borders of the request. */
export class PrefixCache {
  readonly #texts: string[] = [];
  readonly #kept = new Set<string>();

  /** Longest beginning that is equal to that of an earlier prompt. */
  readAutomatically(blocks: readonly PromptBlock[]): CachedInput {
    const text = blocks.map((block) => block.text).join('\n');
    const common = this.#texts.reduce((longest, earlier) => Math.max(longest, commonLength(earlier, text)), 0);
    this.#texts.push(text);
    const tokens = countTokens(text.slice(0, common));
    return { input: countTokens(text), cached: tokens < automatic.least ? 0 : tokens - (tokens % automatic.step) };
  }

  /** Longest beginning that was kept up to a border, at most 20 blocks before one of this prompt. */
  readUpToBorders(blocks: readonly PromptBlock[]): CachedInput {
    const borders = blocks.flatMap(({ isBorder }, at) => (isBorder ? [at] : []));
    if (borders.length > maxBorders) throw new Error(`A request has ${borders.length} borders.`);
    const beginning = (at: number) => JSON.stringify(blocks.slice(0, at + 1).map(({ text }) => text));
    const tokens = blocks.map(({ text }) => countTokens(text));
    const near = borders.flatMap((border) => Array.from({ length: lookBack }, (_, back) => border - back)).filter((at) => at >= 0);
    const found = Math.max(-1, ...near.filter((at) => this.#kept.has(beginning(at))));
    for (const border of borders) this.#kept.add(beginning(border));
    return { input: sum(tokens), cached: sum(tokens.slice(0, found + 1)) };
  }
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
