import { boolean, integer, moment, pgTable, primaryKey, text, uuid } from '../../platform/database/drizzle.ts';

export const executionFiles = pgTable(
  'execution_files',
  {
    executionId: uuid('execution_id').notNull(),
    path: text('path').notNull(),
    stepId: uuid('step_id').notNull(),
    orderIndex: integer('order_index').notNull(),
    /** Null for a file that was removed, or that was moved and is not text. */
    content: text('content'),
    size: integer('size').notNull(),
    language: text('language'),
    removed: boolean('removed').notNull().default(false),
    /** The path that the file had before: one of the base tree where `content` is null. */
    movedFrom: text('moved_from'),
    /** Null: the mode that the path has without this version. */
    executable: boolean('executable'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.path, table.stepId] })],
);
