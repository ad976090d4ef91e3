import type { Pipeline, PipelineGroup, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { StepSettings } from '../../../contract/executions/run-graph.ts';
import { boolean, integer, jsonb, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const pipelines = pgTable('pipelines', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  configuration: text('configuration').notNull().default('{}'),
  status: text('status').$type<Pipeline['status']>().notNull(),
  links: jsonb('links').$type<PipelineLink[]>(),
  groups: jsonb('groups').$type<PipelineGroup[]>(),
  maxParallel: integer('max_parallel'),
  maxExecutionTimeSeconds: integer('max_execution_time_seconds'),
  isDemo: boolean('is_demo').notNull().default(false),
  /** Of a released team: it can be read, and is neither listed nor changed. */
  isOfRelease: boolean('is_of_release').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  removedAt: moment('removed_at'),
});

export const pipelineSteps = pgTable('pipeline_steps', {
  id: uuid('id').primaryKey(),
  pipelineId: uuid('pipeline_id').notNull(),
  orderIndex: integer('order_index').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  agentId: uuid('agent_id').notNull(),
  nodeId: text('node_id'),
  timeoutSeconds: integer('timeout_seconds').notNull(),
  settings: jsonb('settings').$type<StepSettings>(),
  groupId: text('group_id'),
});
