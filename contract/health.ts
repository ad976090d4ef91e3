import { z } from 'zod';

export const health = z.object({
  status: z.enum(['ok', 'starting', 'unavailable']),
  version: z.string(),
  /** The Git commit that the server was built of, where the build knew one. */
  commit: z.string().optional(),
  uptimeSeconds: z.number(),
  /** With the embedded database also why it does not answer: it recovers from a crash, or the server starts it again. */
  database: z.enum(['up', 'down', 'recovering', 'restarting']),
  bus: z.object({ mode: z.enum(['embedded', 'nats']), connected: z.boolean() }),
});
export type Health = z.infer<typeof health>;

/** What runs here. */
export const serverVersion = health.pick({ version: true, commit: true }).extend({
  /** A newer release that the server knows of, with the page of its notes. */
  newer: z.object({ version: z.string(), notes: z.url() }).nullable(),
});
