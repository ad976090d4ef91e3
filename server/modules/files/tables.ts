import { integer, pgTable, primaryKey, text, timestamp, uuid } from '../../platform/database/drizzle.ts';

export const executionFiles = pgTable(
  'execution_files',
  {
    executionId: uuid('execution_id').notNull(),
    path: text('path').notNull(),
    stepId: uuid('step_id').notNull(),
    orderIndex: integer('order_index').notNull(),
    content: text('content').notNull(),
    size: integer('size').notNull(),
    language: text('language'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.path, table.stepId] })],
);
