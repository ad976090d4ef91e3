import type { Forge } from '../../../contract/executions/publishing.ts';
import { integer, jsonb, pgTable, text, timestamp, uuid } from '../../platform/database/drizzle.ts';
import type { RequestFailure } from '../../platform/git/draft-pull-requests.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const gitTargets = pgTable('git_targets', {
  projectId: uuid('project_id').primaryKey(),
  url: text('url').notNull(),
  baseBranch: text('base_branch').notNull(),
  prefix: text('prefix').notNull(),
  forge: text('forge').$type<Forge>().notNull(),
  tokenSealed: text('token_sealed'),
  tokenLast4: text('token_last4'),
  paths: jsonb('paths').$type<string[]>().notNull().default([]),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const publications = pgTable('publications', {
  executionId: uuid('execution_id').primaryKey(),
  url: text('url').notNull(),
  branch: text('branch').notNull(),
  sha: text('sha').notNull(),
  baseSha: text('base_sha').notNull(),
  requestUrl: text('request_url'),
  requestNumber: integer('request_number'),
  problem: text('problem').$type<RequestFailure | 'no_drafts'>(),
  problemText: text('problem_text'),
  publishedAt: moment('published_at').notNull(),
});
