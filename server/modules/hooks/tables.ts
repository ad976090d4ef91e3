import type { DeliveryProblem, HookDelivery, HookEvent, HookOut } from '../../../contract/hook.ts';
import { boolean, figure, integer, jsonb, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export type EventAbout = Record<string, unknown> & { texts?: Record<string, string> };

/** How a try ended: `problem` is null when the receiver has taken the event. `waitMs`: for how long the receiver wants no other try. */
export type TryOutcome = { problem: DeliveryProblem | null; answerStatus: number | null; waitMs?: number | null };

/** A replaced secret, which signs until a time in ISO 8601. */
export type FormerSecret = { sealed: string; until: string };

export const hooksOut = pgTable('hooks_out', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  url: text('url').notNull(),
  secretSealed: text('secret_sealed').notNull(),
  formerSecrets: jsonb('former_secrets').$type<FormerSecret[]>().notNull().default([]),
  events: text('events').array().$type<HookEvent[]>().notNull(),
  withTexts: boolean('with_texts').notNull(),
  createdAt: moment('created_at').notNull(),
  failingSince: moment('failing_since'),
  offSince: moment('off_since'),
  offBecause: text('off_because').$type<HookOut['offBecause']>(),
  emailDueAt: moment('email_due_at'),
});

export const hookDeliveries = pgTable('hook_deliveries', {
  id: uuid('id').primaryKey(),
  hookId: uuid('hook_id'),
  chatOf: uuid('chat_of'),
  deviceId: uuid('device_id'),
  eventId: uuid('event_id').notNull(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  event: text('event').$type<HookDelivery['event']>().notNull(),
  about: jsonb('about').$type<EventAbout>().notNull(),
  createdAt: moment('created_at').notNull(),
  attempt: integer('attempt').notNull().default(0),
  status: text('status').$type<HookDelivery['status']>().notNull().default('pending'),
  nextAt: moment('next_at'),
  jobId: uuid('job_id'),
  triedAt: moment('tried_at'),
  problem: text('problem').$type<DeliveryProblem>(),
  answerStatus: integer('answer_status'),
  /** The message of a chat that tells of the event. */
  messageId: figure('message_id'),
});

export type HookRow = typeof hooksOut.$inferSelect;
