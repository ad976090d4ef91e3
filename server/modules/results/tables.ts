import { sql } from 'drizzle-orm';
import { integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ResultItem } from '../../../contract/result.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const results = pgTable('results', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  projectId: uuid('project_id').notNull(),
  pipelineExecutionId: uuid('pipeline_execution_id').notNull().unique(),
  userRequest: text('user_request').notNull(),
  finalResult: text('final_result').notNull(),
  summary: text('summary').notNull().default(''),
  type: smallint('type').$type<ResultItem['type']>().notNull(),
  status: smallint('status').$type<ResultItem['status']>().notNull(),
  metadata: text('metadata').notNull().default('{}'),
  tags: text('tags').notNull().default(''),
  agentsCount: integer('agents_count').notNull().default(1),
  stepsCount: integer('steps_count').notNull().default(1),
  /** Filled by a trigger of the database, which takes only the beginning of the result. */
  searchText: text('search_text')
    .notNull()
    .generatedAlwaysAs(sql`lower(user_request || E'\\n' || summary || E'\\n' || tags || E'\\n' || left(final_result, 65536))`),
  removedAt: moment('removed_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
