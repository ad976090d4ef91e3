import { boolean, integer, pgTable, text } from '../../platform/database/drizzle.ts';

export const localRunner = pgTable('local_runner', {
  id: boolean('id').primaryKey(),
  port: integer('port').notNull(),
  tokenSealed: text('token_sealed').notNull(),
});
