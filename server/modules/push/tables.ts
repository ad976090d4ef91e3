import type { HookEvent } from '../../../contract/hook.ts';
import { integer, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const pushDevices = pgTable('push_devices', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  sessionId: uuid('session_id').notNull(),
  endpointHash: text('endpoint_hash').notNull(),
  subscriptionSealed: text('subscription_sealed').notNull(),
  name: text('name').notNull(),
  events: text('events').array().$type<HookEvent[]>().notNull(),
  addedAt: moment('added_at').notNull(),
  /** What the push service has answered when it refused the last message; null once it takes one. */
  failedStatus: integer('failed_status'),
  failedAt: moment('failed_at'),
});

export type DeviceRow = typeof pushDevices.$inferSelect;
