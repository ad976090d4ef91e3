import type { z } from 'zod';
import type { runBudget } from '../../../contract/budget.ts';
import type { FieldAuthor, InputField } from '../../../contract/released-team.ts';
import { integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const releasedTeams = pgTable('released_teams', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  runAs: uuid('run_as').$type<OwnerId>().notNull(),
  slug: text('slug').notNull(),
  title: text('title').notNull(),
  task: text('task').notNull(),
  input: jsonb('input').$type<InputField[]>().notNull(),
  budget: jsonb('budget').$type<z.output<typeof runBudget>>(),
  atOnce: integer('at_once').notNull(),
  filledBy: text('filled_by').$type<FieldAuthor>().notNull().default('outsiders'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
export type ReleasedTeamRow = typeof releasedTeams.$inferSelect;

export const teamReleases = pgTable(
  'team_releases',
  {
    teamId: uuid('team_id').notNull(),
    number: integer('number').notNull(),
    teamVersionId: uuid('team_version_id').notNull(),
    /** Steps and links, in a pipeline that no call changes. */
    pipelineId: uuid('pipeline_id').notNull(),
    releasedBy: text('released_by').notNull(),
    releasedAt: moment('released_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.number] })],
);

export const teamRuns = pgTable('team_runs', {
  executionId: uuid('execution_id').primaryKey(),
  teamId: uuid('team_id').notNull(),
  release: integer('release').notNull(),
  calledBy: text('called_by').notNull(),
  calledAt: moment('called_at').notNull(),
});
