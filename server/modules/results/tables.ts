import type { ResultItem } from '../../../contract/executions/result.ts';
import { integer, moment, pgTable, smallint, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const results = pgTable('results', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  pipelineExecutionId: uuid('pipeline_execution_id').notNull().unique(),
  userRequest: text('user_request').notNull(),
  /** Null if it is the answer of the run's last step, which is stored only there. */
  finalResult: text('final_result'),
  summary: text('summary').notNull().default(''),
  type: smallint('type').$type<ResultItem['type']>().notNull(),
  status: smallint('status').$type<ResultItem['status']>().notNull(),
  metadata: text('metadata').notNull().default('{}'),
  tags: text('tags').notNull().default(''),
  agentsCount: integer('agents_count').notNull().default(1),
  stepsCount: integer('steps_count').notNull().default(1),
  /** Both are written by a trigger of the database: the item's own words, and the beginning of the run's answer where the item shows that. */
  searchText: text('search_text').notNull().default(''),
  answerSearchText: text('answer_search_text'),
  removedAt: moment('removed_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
