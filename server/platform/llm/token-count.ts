import { z } from 'zod';
import { largestInteger, type TokenUsage } from '../../../contract/common.ts';

/** A number of tokens as a model server tells it; null where it tells none, or what is no such number. */
export const tokenCount = z.number().int().min(0).max(largestInteger).nullish().catch(null);

/** What a call took, in numbers that can be stored: a server may tell the largest for each of its parts. */
export function toTokenUsage(prompt: number, completion: number): TokenUsage {
  const promptTokens = Math.min(prompt, largestInteger);
  const completionTokens = Math.min(completion, largestInteger);
  return { promptTokens, completionTokens, totalTokens: Math.min(promptTokens + completionTokens, largestInteger) };
}
