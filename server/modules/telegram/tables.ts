import type { HookEvent } from '../../../contract/hook.ts';
import type { BotProblem } from '../../../contract/telegram.ts';
import { figure, moment, pgTable, smallint, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const telegramChats = pgTable('telegram_chats', {
  userId: uuid('user_id').$type<OwnerId>().primaryKey(),
  chatId: figure('chat_id').notNull(),
  name: text('name').notNull(),
  boundAt: moment('bound_at').notNull(),
  blockedAt: moment('blocked_at'),
});

export const telegramProjects = pgTable('telegram_projects', {
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  events: text('events').array().$type<HookEvent[]>().notNull(),
  urgent: text('urgent').array().$type<HookEvent[]>().notNull().default([]),
  quietFrom: smallint('quiet_from'),
  quietTo: smallint('quiet_to'),
  timeZone: text('time_zone'),
});

export const telegramLinks = pgTable('telegram_links', {
  hash: text('hash').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** One row. The reader of the updates writes it by statements of its own. */
export const telegramUpdates = pgTable('telegram_updates', {
  problem: text('problem').$type<BotProblem>(),
  problemSince: moment('problem_since'),
});

export type ChatRow = typeof telegramChats.$inferSelect;
export type WishRow = typeof telegramProjects.$inferSelect;
