import type { StorageKind } from '../../../contract/storage.ts';
import { figure, jsonb, moment, pgTable, uuid } from '../../platform/database/drizzle.ts';

export const storageUses = pgTable('storage_uses', {
  userId: uuid('user_id').primaryKey(),
  kinds: jsonb('kinds').$type<Record<StorageKind, number>>().notNull(),
  bytes: figure('bytes').notNull(),
  added: figure('added').notNull().default(0),
  reserved: figure('reserved').notNull().default(0),
  reservedUntil: moment('reserved_until'),
  measuredAt: moment('measured_at').notNull(),
});
