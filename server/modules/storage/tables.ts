import type { StorageKind } from '../../../contract/storage.ts';
import { bigint, jsonb, pgTable, timestamp, uuid } from '../../platform/database/drizzle.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });
const figure = (name: string) => bigint(name, { mode: 'number' });

export const storageUses = pgTable('storage_uses', {
  userId: uuid('user_id').primaryKey(),
  kinds: jsonb('kinds').$type<Record<StorageKind, number>>().notNull(),
  bytes: figure('bytes').notNull(),
  added: figure('added').notNull().default(0),
  reserved: figure('reserved').notNull().default(0),
  reservedUntil: moment('reserved_until'),
  measuredAt: moment('measured_at').notNull(),
});
