import { type Agent, type AgentWork, type ApiConfiguration, usualWork } from '../../../contract/agent.ts';
import type { ChangeCause } from '../../../contract/agent-change.ts';
import type { AgentRelationship } from '../../../contract/agent-relationship.ts';
import {
  boolean,
  doublePrecision,
  integer,
  jsonb,
  moment,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const agents = pgTable('agents', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  name: text('name').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull().default(''),
  role: text('role').notNull(),
  status: smallint('status').$type<Agent['status']>().notNull().default(1),
  specialization: text('specialization').notNull().default(''),
  skills: jsonb('skills').$type<string[]>().notNull().default([]),
  priority: smallint('priority').notNull().default(5),
  iconType: text('icon_type').notNull().default(''),
  contextAccessLevel: smallint('context_access_level').$type<Agent['contextAccessLevel']>().notNull().default(3),
  systemPrompt: text('system_prompt').notNull().default(''),
  plan: text('plan').notNull().default(''),
  providerType: text('provider_type').$type<ApiConfiguration['providerType']>().notNull(),
  model: text('model').notNull(),
  temperature: doublePrecision('temperature'),
  maxTokens: integer('max_tokens'),
  effort: text('effort').$type<ApiConfiguration['effort']>(),
  connectionId: uuid('connection_id'),
  fallback: jsonb('fallback').$type<NonNullable<ApiConfiguration['fallback']>>(),
  mayGoWithoutTools: boolean('may_go_without_tools').notNull().default(false),
  work: jsonb('work').$type<AgentWork>().notNull().default(usualWork),
  baseUrl: text('base_url'),
  folderId: text('folder_id'),
  apiKeySealed: text('api_key_sealed'),
  apiKeyLast4: text('api_key_last4'),
  apiKeyHost: text('api_key_host'),
  hasTools: boolean('has_tools').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Each change of a prompt, with the text before and after it. */
export const agentChanges = pgTable(
  'agent_changes',
  {
    agentId: uuid('agent_id').notNull(),
    number: integer('number').notNull(),
    before: text('before').notNull(),
    after: text('after').notNull(),
    author: uuid('author'),
    cause: text('cause').$type<ChangeCause>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.number] })],
);

export const agentRelationships = pgTable('agent_relationships', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  sourceAgentId: uuid('source_agent_id').notNull(),
  targetAgentId: uuid('target_agent_id').notNull(),
  relationshipType: text('relationship_type').$type<AgentRelationship['relationshipType']>().notNull(),
  description: text('description').notNull().default(''),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
