import { z } from 'zod';
import { largestInteger } from '../../../contract/common.ts';

/** A number of tokens as a model server tells it; null where it tells none, or what is no such number. */
export const tokenCount = z.number().int().min(0).max(largestInteger).nullish().catch(null);
