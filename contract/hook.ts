import { z } from 'zod';
import { id, timestamp } from './common.ts';

/** What a receiver can be told. A question about a budget is `budget.reached`, not `question.opened`. */
export const hookEvents = ['run.ended', 'question.opened', 'budget.reached', 'published'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** Receivers of one project. */
export const maxHooks = 10;
/** How long a replaced secret signs beside the new one (hours). */
export const secretOverlapHours = 24;
/** Replaced secrets of one hook that still sign. */
export const maxFormerSecrets = 4;
/** Tries of one delivery, within a day. */
export const maxDeliveryTries = 8;

/** Why a try has failed. `proxy`: that of the server's operator did not connect. `blocked`: a person has blocked the bot. */
const deliveryProblems = [
  'host',
  'redirect',
  'status',
  'timeout',
  'unreachable',
  'certificate',
  'proxy',
  'interrupted',
  'secret',
  'blocked',
] as const;
export type DeliveryProblem = (typeof deliveryProblems)[number];

const hookRefusals = [
  'address',
  'host',
  'limit',
  'off',
  'secrets',
  'no_bot',
  'bot_refused',
  'bot_unreachable',
  'bot_proxy',
  'no_chat',
  'devices',
  'push_keys',
] as const;
export type HookRefusal = (typeof hookRefusals)[number];

const events = z
  .array(z.enum(hookEvents))
  .min(1)
  .max(hookEvents.length)
  .transform((given) => hookEvents.filter((event) => given.includes(event)));
const url = z.string().trim().min(1).max(2_000);

/**
 * `failingSince`: the first failure since the last success. `offBecause`: `dead` after three days of failures. `formerSecretUntil`: until when the secret
 * that was replaced last also signs.
 */
export const hookOut = z.object({
  id,
  projectId: id,
  url: z.string(),
  events: z.array(z.enum(hookEvents)),
  withTexts: z.boolean(),
  createdAt: timestamp,
  failingSince: timestamp.nullable(),
  offSince: timestamp.nullable(),
  offBecause: z.enum(['owner', 'dead']).nullable(),
  formerSecretUntil: timestamp.nullable(),
});
export type HookOut = z.infer<typeof hookOut>;

export const hookCreation = z.object({ url, events, withTexts: z.boolean().default(false) });
export type HookCreation = z.input<typeof hookCreation>;

/** The secret that proves the sender, which is shown only here. */
export const createdHook = hookOut.extend({ secret: z.string() });
export type CreatedHook = z.infer<typeof createdHook>;

/** What is not given stays. `isOn: true` also forgets earlier failures. */
export const hookUpdate = z.object({
  url: url.optional(),
  events: events.optional(),
  withTexts: z.boolean().optional(),
  isOn: z.boolean().optional(),
});
export type HookUpdate = z.input<typeof hookUpdate>;

/** `eventId` is the `webhook-id` of all tries. `attempt` counts the tries that have ended. */
export const hookDelivery = z.object({
  id,
  eventId: id,
  event: z.enum([...hookEvents, 'test']),
  createdAt: timestamp,
  status: z.enum(['pending', 'delivered', 'failed', 'stopped']),
  attempt: z.number().int().min(0),
  nextAt: timestamp.nullable(),
  triedAt: timestamp.nullable(),
  problem: z.enum(deliveryProblems).nullable(),
  answerStatus: z.number().int().nullable(),
});
export type HookDelivery = z.infer<typeof hookDelivery>;

export const byHook = z.object({ hookId: id });
export const byDelivery = z.object({ hookId: id, deliveryId: id });
