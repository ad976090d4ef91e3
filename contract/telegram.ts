import { z } from 'zod';
import { timestamp } from './common.ts';
import { hookEvents } from './hook.ts';

const hour = z.number().int().min(0).max(23);

/** Nothing is sent from the hour `from` until the hour `to`; it is sent then. */
const quietHours = z.object({
  from: hour,
  to: hour,
  timeZone: z
    .string()
    .max(64)
    .refine((zone) => isTimeZone(zone)),
});
export type QuietHours = z.infer<typeof quietHours>;

/** Telegram refuses the token of the bot; another program reads its messages; or Telegram does not answer as it should. */
const botProblems = ['token', 'conflict', 'proxy', 'unreachable'] as const;
export type BotProblem = (typeof botProblems)[number];

/**
 * `hasBot`: the operator has set a bot. `problem`: why its messages cannot be read. `chat`: that of the account; null until it is bound. `lostAt`: when a
 * message about the project was given up. `events`: what the chat is told of the project; `urgent` ones come in its quiet hours too.
 */
export const telegramState = z.object({
  hasBot: z.boolean(),
  problem: z.object({ kind: z.enum(botProblems), since: timestamp }).nullable(),
  chat: z.object({ name: z.string(), boundAt: timestamp, blockedAt: timestamp.nullable(), lostAt: timestamp.nullable() }).nullable(),
  events: z.array(z.enum(hookEvents)),
  urgent: z.array(z.enum(hookEvents)),
  quiet: quietHours.nullable(),
});
export type TelegramState = z.infer<typeof telegramState>;

/** A link that binds the chat of the person who opens it, once. */
export const telegramLink = z.object({ url: z.string(), expiresAt: timestamp });
export type TelegramLink = z.infer<typeof telegramLink>;

const events = z
  .array(z.enum(hookEvents))
  .max(hookEvents.length)
  .transform((given) => hookEvents.filter((event) => given.includes(event)));

/** What is not given stays. */
export const telegramUpdate = z.object({
  events: events.optional(),
  urgent: events.optional(),
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
