import { z } from 'zod';

export const health = z.object({
  status: z.enum(['ok', 'starting', 'unavailable']),
  version: z.string(),
  uptimeSeconds: z.number(),
  database: z.enum(['up', 'down']),
  bus: z.object({ mode: z.enum(['embedded', 'nats']), connected: z.boolean() }),
});
export type Health = z.infer<typeof health>;
