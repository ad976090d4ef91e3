import { z } from 'zod';

/** A UUID, version 7 when the server made it; in lower case, as the database writes it. */
export const id = z.uuid().toLowerCase();

/** What a whole number in the database can be at most. */
export const largestInteger = 2_147_483_647;

/** ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

/** What every stored thing carries. */
export const entity = z.object({ id, createdAt: timestamp, updatedAt: timestamp });

/** `limit` 1 to 200 (200 unless said otherwise) and `offset`; the answer carries `X-Total-Count`. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  offset: z.coerce.number().int().min(0).default(0),
});

export const tokenUsage = z.object({
  promptTokens: z.number().int().min(0),
  completionTokens: z.number().int().min(0),
  totalTokens: z.number().int().min(0),
});
export type TokenUsage = z.infer<typeof tokenUsage>;
