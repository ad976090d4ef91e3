import type { ForgeProblem, ForgeThreadShown } from '../../../../contract/trigger.ts';
import { boolean, integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../../platform/database/drizzle.ts';
import type { KnownRights } from './rights.ts';

/** An issue or a pull request that could not be read, and how often that was tried. */
export type Unread = { number: number; isRequest: boolean; tries: number };

export const forgeReadings = pgTable('forge_readings', {
  triggerId: uuid('trigger_id').primaryKey(),
  url: text('url'),
  login: text('login'),
  since: text('since'),
  hasLabelled: boolean('has_labelled').notNull().default(false),
  unread: jsonb('unread').$type<Unread[]>().notNull().default([]),
  notBefore: moment('not_before'),
  begunAt: moment('begun_at'),
  readAt: moment('read_at'),
  jobId: uuid('job_id'),
  isWanted: boolean('is_wanted').notNull().default(false),
  problem: text('problem').$type<ForgeProblem>(),
  problemText: text('problem_text'),
  /** What the forge has said about who may write. */
  rights: jsonb('rights').$type<KnownRights>().notNull().default({}),
  /** Refusals for too many calls in a row. */
  limits: integer('limits').notNull().default(0),
});

export const forgeThreads = pgTable('forge_threads', {
  id: uuid('id').primaryKey(),
  triggerId: uuid('trigger_id').notNull(),
  url: text('url').notNull(),
  number: integer('number').notNull(),
  title: text('title').notNull(),
  issueText: text('issue_text').notNull(),
  author: text('author').notNull(),
  page: text('page').notNull(),
  state: text('state').$type<ForgeThreadShown['state']>().notNull(),
  detail: text('detail'),
  /** What its run is named after. */
  subject: text('subject'),
  /** Why the comment on the issue could not be written. */
  problem: text('problem').$type<ForgeProblem>(),
  note: text('note'),
  questionId: uuid('question_id'),
  executionId: uuid('execution_id'),
  doneExecutionId: uuid('done_execution_id'),
  tries: integer('tries').notNull().default(0),
  branch: text('branch'),
  base: text('base'),
  headSha: text('head_sha'),
  requestNumber: integer('request_number'),
  requestUrl: text('request_url'),
  rounds: integer('rounds').notNull().default(0),
  checkedSha: text('checked_sha'),
  checkedAt: moment('checked_at'),
  pushedAt: moment('pushed_at'),
  hasMore: boolean('has_more').notNull().default(false),
  pendingComments: jsonb('owed').$type<string[]>().notNull().default([]),
  commentId: text('comment_id'),
  commentSha: text('comment_sha'),
  toldAt: moment('told_at'),
  updatedAt: moment('updated_at').notNull(),
});

export const forgeSeen = pgTable(
  'forge_seen',
  { triggerId: uuid('trigger_id').notNull(), what: text('what').notNull(), seenAt: moment('seen_at').notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.triggerId, table.what] })],
);
