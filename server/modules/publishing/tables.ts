import type { Forge } from '../../../contract/executions/publishing.ts';
import { boolean, integer, jsonb, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { RequestFailure } from '../../platform/git/forge-calls.ts';
import type { FollowedRename, PushedFiles } from '../../platform/git/git-messages.ts';

export const gitTargets = pgTable('git_targets', {
  projectId: uuid('project_id').primaryKey(),
  url: text('url').notNull(),
  baseBranch: text('base_branch').notNull(),
  prefix: text('prefix').notNull(),
  forge: text('forge').$type<Forge>().notNull(),
  authorName: text('author_name'),
  authorEmail: text('author_email'),
  signsOff: boolean('signs_off').notNull().default(false),
  tokenSealed: text('token_sealed'),
  tokenLast4: text('token_last4'),
  paths: jsonb('paths').$type<string[]>().notNull().default([]),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const publications = pgTable('publications', {
  executionId: uuid('execution_id').primaryKey(),
  url: text('url').notNull(),
  branch: text('branch').notNull(),
  /** Null for the base branch of the project, in rows from before it could be chosen. */
  baseBranch: text('base_branch'),
  sha: text('sha').notNull(),
  baseSha: text('base_sha').notNull(),
  /** Of the files that the run had: the same files are not pushed again. */
  filesSha: text('files_sha'),
  /** What the run had in its files then; null in rows from before it was stored. */
  pushed: jsonb('pushed').$type<PushedFiles>(),
  /** Files that the run or the repository had renamed. */
  renamed: jsonb('renamed').$type<FollowedRename[]>().notNull().default([]),
  requestUrl: text('request_url'),
  requestNumber: integer('request_number'),
  problem: text('problem').$type<RequestFailure | 'no_drafts'>(),
  problemText: text('problem_text'),
  publishedAt: moment('published_at').notNull(),
});
