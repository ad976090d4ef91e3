import { z } from 'zod';

/** An ISO 4217 code. */
export const currency = z.string().regex(/^[A-Z]{3}$/);

/** An amount in millionths of a currency. */
export const money = z.object({ currency, micros: z.number().int().min(0) });
export type Money = z.infer<typeof money>;

/**
 * What model calls have cost: an amount for each currency, never converted. No amounts: nothing was paid. `isUnknown`: the price of some calls is
 * not known, and they are not in the amounts. `isEstimated`: some calls were cut off, and their tokens are estimated.
 */
export const cost = z.object({
  amounts: z.array(money),
  isUnknown: z.literal(true).optional(),
  isEstimated: z.literal(true).optional(),
});
export type Cost = z.infer<typeof cost>;
