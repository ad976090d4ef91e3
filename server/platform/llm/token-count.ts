import { z } from 'zod';
import { maxInteger, type TokenUsage } from '../../../contract/common.ts';

/** Parses a number of tokens from a model server, also one that is written as text; null if it is not a valid number. */
export const tokenCount = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().int().min(0).max(maxInteger))
  .nullish()
  .catch(null);

/** Parts of a usage that have prices of their own. */
type PartsOfUsage = {
  cached?: number | null | undefined;
  cacheWrite?: number | null | undefined;
  reasoning?: number | null | undefined;
};

/** The usage of a call in storable numbers: a server may report the largest number for each part. */
export function toTokenUsage(prompt: number, completion: number, { cached, cacheWrite, reasoning }: PartsOfUsage = {}): TokenUsage {
  const promptTokens = Math.min(prompt, maxInteger);
  const completionTokens = Math.min(completion, maxInteger);
  const cachedTokens = Math.min(cached ?? 0, promptTokens);
  const cacheWriteTokens = Math.min(cacheWrite ?? 0, promptTokens - cachedTokens);
  return {
    promptTokens,
    completionTokens,
    totalTokens: Math.min(promptTokens + completionTokens, maxInteger),
    ...(cached && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoning && { reasoningTokens: Math.min(reasoning, completionTokens) }),
  };
}
