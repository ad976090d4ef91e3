import { customType, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { GitSource, InputFile } from '../../../contract/input.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const inputSets = pgTable('input_sets', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  projectId: uuid('project_id').notNull(),
  git: jsonb('git').$type<GitSource>(),
  createdAt: moment('created_at').notNull().defaultNow(),
  sealedAt: moment('sealed_at'),
});

export const inputFiles = pgTable(
  'input_files',
  {
    setId: uuid('set_id').notNull(),
    path: text('path').notNull(),
    mime: text('mime').notNull(),
    kind: text('kind').$type<InputFile['kind']>().notNull(),
    source: text('source').$type<InputFile['from']>().notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    content: bytea('content'),
    text: text('text'),
  },
  (table) => [primaryKey({ columns: [table.setId, table.path] })],
);
