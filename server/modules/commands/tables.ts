import type { CommandState, CommandStatus } from '../../../contract/command.ts';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Failure } from '../../../contract/errors.ts';
import type { Language } from '../../http/call.ts';
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp, uuid } from '../../platform/database/drizzle.ts';
import type { ChatMessage } from '../../platform/llm/language-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const agentCommands = pgTable('agent_commands', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id'),
  agentId: uuid('agent_id').notNull(),
  kind: text('kind').$type<CommandState['kind']>().notNull(),
  request: text('request').notNull(),
  initialTask: text('initial_task'),
  task: text('task'),
  parameters: jsonb('parameters').$type<Record<string, unknown>>().notNull().default({}),
  data: jsonb('data').$type<unknown>(),
  messages: jsonb('messages').$type<ChatMessage[]>(),
  sentAt: moment('sent_at'),
  language: text('language').$type<Language>().notNull(),
  /** The API key that has sent the command: its budget applies. */
  keyId: uuid('key_id'),
  executionId: uuid('execution_id'),
  stepId: uuid('step_id'),
  status: text('status').$type<CommandStatus>().notNull(),
  leaseEpoch: integer('lease_epoch').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
  result: text('result'),
  finish: text('finish').$type<'stop' | 'length'>(),
  error: jsonb('error').$type<Failure>(),
  provider: text('provider'),
  model: text('model'),
  simulated: boolean('simulated').notNull().default(false),
  usage: jsonb('usage').$type<TokenUsage>(),
  executionTimeMs: bigint('execution_time_ms', { mode: 'number' }),
  startedAt: moment('started_at'),
  completedAt: moment('completed_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
