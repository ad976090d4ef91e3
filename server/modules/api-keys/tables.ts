import type { KeyScope } from '../../../contract/api-key.ts';
import { boolean, pgTable, text, timestamp, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const apiKeys = pgTable('api_keys', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id'),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  hash: text('hash').notNull().unique(),
  scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  lastUsedAt: moment('last_used_at'),
  lastUsedFrom: text('last_used_from'),
  revokedAt: moment('revoked_at'),
  ofTrigger: boolean('of_trigger').notNull().default(false),
});
export type ApiKeyRow = typeof apiKeys.$inferSelect;
