import type { Lead } from '../../../contract/lead.ts';
import { boolean, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';

export const leads = pgTable('leads', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  company: text('company').notNull().default(''),
  role: text('role').notNull().default(''),
  comment: text('comment').notNull().default(''),
  consent: boolean('consent').notNull(),
  status: text('status').$type<Lead['status']>().notNull().default('new'),
  source: text('source').notNull(),
  priority: text('priority').$type<Lead['priority']>().notNull().default('normal'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const leadComments = pgTable('lead_comments', {
  id: uuid('id').primaryKey(),
  leadId: uuid('lead_id').notNull(),
  authorId: uuid('author_id').notNull(),
  text: text('text').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});
