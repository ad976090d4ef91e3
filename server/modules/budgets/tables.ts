import type { BudgetSpan } from '../../../contract/budget.ts';
import { boolean, figure, integer, jsonb, moment, pgTable, primaryKey, sql, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const budgets = pgTable('budgets', {
  id: uuid('id').primaryKey(),
  scope: text('scope').$type<'run' | 'project' | 'user' | 'key' | 'server' | 'total'>().notNull(),
  userId: uuid('user_id').$type<OwnerId>(),
  projectId: uuid('project_id'),
  executionId: uuid('execution_id'),
  keyId: uuid('key_id'),
  span: text('span').$type<BudgetSpan>().notNull(),
  currency: text('currency'),
  micros: figure('micros'),
  tokens: figure('tokens'),
  calls: figure('calls'),
  activeMs: figure('active_ms'),
  atLimit: text('at_limit').$type<'ask' | 'stop' | 'refuse'>().notNull(),
  warnAt: integer('warn_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const budgetUses = pgTable(
  'budget_uses',
  {
    budgetId: uuid('budget_id').notNull(),
    /** Null: over all accounts together. */
    userId: uuid('user_id').$type<OwnerId>(),
    holder: uuid('holder').notNull().generatedAlwaysAs(sql`coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid)`),
    period: text('period').notNull(),
    executionId: uuid('execution_id'),
    micros: figure('micros').notNull().default(0),
    tokens: figure('tokens').notNull().default(0),
    calls: figure('calls').notNull().default(0),
    activeMs: figure('active_ms').notNull().default(0),
    extraMicros: figure('extra_micros').notNull().default(0),
    extraTokens: figure('extra_tokens').notNull().default(0),
    extraCalls: figure('extra_calls').notNull().default(0),
    extraActiveMs: figure('extra_active_ms').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.budgetId, table.holder, table.period] })],
);

export const spend = pgTable('spend', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id'),
  executionId: uuid('execution_id'),
  /** The step of a run, or the command. */
  stepId: uuid('step_id'),
  round: integer('round').notNull(),
  item: integer('item').notNull(),
  attempt: integer('attempt').notNull(),
  provider: text('provider').notNull(),
  model: text('model').notNull(),
  usesOperatorKey: boolean('is_lent').notNull(),
  promptTokens: integer('prompt_tokens').notNull(),
  cachedTokens: integer('cached_tokens').notNull(),
  cacheWriteTokens: integer('cache_write_tokens').notNull(),
  completionTokens: integer('completion_tokens').notNull(),
  reasoningTokens: integer('reasoning_tokens').notNull(),
  currency: text('currency'),
  micros: figure('micros'),
  ms: figure('ms').notNull(),
  state: text('state').$type<'reserved' | 'settled' | 'estimated' | 'lost'>().notNull(),
  budgets: jsonb('budgets').$type<{ id: string; period: string }[]>(),
  turn: integer('turn').notNull(),
  leastPromptTokens: integer('least_prompt_tokens'),
  leastMicros: figure('least_micros'),
  createdAt: moment('created_at').notNull(),
});
