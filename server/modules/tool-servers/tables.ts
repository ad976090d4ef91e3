import type { ToolPolicy, ToolServer, ToolServerAuth, ToolServerProblem } from '../../../contract/tool-server.ts';
import { boolean, integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../platform/database/drizzle.ts';

export const toolServers = pgTable('tool_servers', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  kind: text('kind').$type<ToolServer['kind']>().notNull(),
  name: text('name').notNull(),
  url: text('url'),
  auth: jsonb('auth').$type<ToolServerAuth>().notNull(),
  keySealed: text('key_sealed'),
  keyLast4: text('key_last4'),
  keyHost: text('key_host'),
  secretSealed: text('secret_sealed'),
  signInSealed: text('sign_in_sealed'),
  refreshingUntil: moment('refreshing_until'),
  testedAt: moment('tested_at'),
  problem: text('problem').$type<ToolServerProblem>(),
  aboutName: text('about_name'),
  aboutVersion: text('about_version'),
  refused: text('refused').notNull().default('[]'),
  refusedCount: integer('refused_count').notNull().default(0),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const serverTools = pgTable('server_tools', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  serverId: uuid('server_id').notNull(),
  name: text('name').notNull(),
  callName: text('call_name').notNull(),
  pinned: text('pinned').notNull(),
  pinnedHash: text('pinned_hash').notNull(),
  pinnedAt: moment('pinned_at').notNull(),
  current: text('current'),
  currentHash: text('current_hash'),
  isMissing: boolean('is_missing').notNull().default(false),
  policy: text('policy').$type<ToolPolicy>().notNull(),
});

export const agentTools = pgTable(
  'agent_tools',
  {
    agentId: uuid('agent_id').notNull(),
    toolId: uuid('tool_id').notNull(),
    projectId: uuid('project_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.toolId] })],
);
