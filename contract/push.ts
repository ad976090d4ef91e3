import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { hookEvents } from './hook.ts';

/** Browsers of one account. */
export const maxPushDevices = 10;

const events = z
  .array(z.enum(hookEvents))
  .max(hookEvents.length)
  .transform((given) => hookEvents.filter((event) => given.includes(event)));

/**
 * A browser that is told of events of all projects. `fingerprint`: SHA-256 of its endpoint, as base64url; by it a browser finds itself. `refusal`: the status
 * with which its push service has refused the last message, and when; null once it takes one.
 */
export const pushDevice = z.object({
  id,
  name: z.string(),
  events: z.array(z.enum(hookEvents)),
  addedAt: timestamp,
  fingerprint: z.string(),
  refusal: z.object({ status: z.number().int(), at: timestamp }).nullable(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/** `publicKey`: the key of this server, which a browser needs to subscribe. */
export const pushState = z.object({ publicKey: z.string(), devices: z.array(pushDevice) });
export type PushState = z.infer<typeof pushState>;

/** `endpoint` and `keys` are those of the browser's push subscription. */
export const pushDeviceCreation = z.object({
  endpoint: z.string().trim().min(1).max(2_000),
  keys: z.object({ p256dh: z.string().regex(/^[\w-]{87}=?$/), auth: z.string().regex(/^[\w-]{22}(==)?$/) }),
  name: z.string().trim().min(1).max(100),
});
export type PushDeviceCreation = z.input<typeof pushDeviceCreation>;

export const pushDeviceUpdate = z.object({ events });

export const byPushDevice = z.object({ deviceId: id });
