import { z } from 'zod';
import { maxInteger, type TokenUsage } from '../../../contract/common.ts';

/** Parses a number of tokens from a model server; null if it is not a valid number. */
export const tokenCount = z.number().int().min(0).max(maxInteger).nullish().catch(null);

/** The usage of a call in storable numbers: a server may report the largest number for each part. */
export function toTokenUsage(prompt: number, completion: number): TokenUsage {
  const promptTokens = Math.min(prompt, maxInteger);
  const completionTokens = Math.min(completion, maxInteger);
  return { promptTokens, completionTokens, totalTokens: Math.min(promptTokens + completionTokens, maxInteger) };
}
