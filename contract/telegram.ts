import { z } from 'zod';
import { timestamp } from './common.ts';
import { hookEvents } from './hook.ts';

const hour = z.number().int().min(0).max(23);

/** Nothing is sent from the hour `from` until the hour `to`; it is sent then. */
export const quietHours = z.object({
  from: hour,
  to: hour,
  timeZone: z
    .string()
    .max(64)
    .refine((zone) => isTimeZone(zone)),
});
export type QuietHours = z.infer<typeof quietHours>;

/** `hasBot`: the operator has set a bot. `chat`: that of the account; null until it is bound. `events`: what the chat is told of the project. */
export const telegramState = z.object({
  hasBot: z.boolean(),
  chat: z.object({ name: z.string(), boundAt: timestamp, blockedAt: timestamp.nullable(), quiet: quietHours.nullable() }).nullable(),
  events: z.array(z.enum(hookEvents)),
});
export type TelegramState = z.infer<typeof telegramState>;

/** A link that binds the chat of the person who opens it, once. */
export const telegramLink = z.object({ url: z.string(), expiresAt: timestamp });
export type TelegramLink = z.infer<typeof telegramLink>;

/** What is not given stays. */
export const telegramUpdate = z.object({
  events: z
    .array(z.enum(hookEvents))
    .max(hookEvents.length)
    .transform((given) => hookEvents.filter((event) => given.includes(event)))
    .optional(),
  quiet: quietHours.nullable().optional(),
});
export type TelegramUpdate = z.input<typeof telegramUpdate>;

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
