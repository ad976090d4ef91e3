import type { FireOutcome, FireReason, overlaps, pauseReasons, TriggerKind, TriggerSettings } from '../../../contract/trigger.ts';
import { boolean, getTableColumns, integer, jsonb, moment, pgTable, primaryKey, sql, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const triggers = pgTable('triggers', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  kind: text('kind').$type<TriggerKind>().notNull(),
  name: text('name').notNull(),
  teamId: uuid('team_id'),
  runAs: uuid('run_as').$type<OwnerId>().notNull(),
  settings: jsonb('settings').$type<TriggerSettings>().notNull(),
  secretSealed: text('secret_sealed'),
  earlierSecretSealed: text('earlier_secret_sealed'),
  earlierUntil: moment('earlier_until'),
  keyId: uuid('key_id').notNull(),
  overlap: text('overlap').$type<(typeof overlaps)[number]>().notNull(),
  missed: text('missed').$type<'once' | 'skip'>().notNull(),
  graceSeconds: integer('grace_seconds').notNull(),
  nextAt: moment('next_at'),
  jobId: uuid('job_id'),
  pausedAt: moment('paused_at'),
  pausedReason: text('paused_reason').$type<(typeof pauseReasons)[number]>(),
  failures: integer('failures').notNull().default(0),
  emailDueAt: moment('email_due_at'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
export type TriggerRow = typeof triggers.$inferSelect;

/** Where a fire comes from: what its sender calls it, the key of the fire that it repeats, and the number of the issue of a forge. */
export type FireSource = { about?: string; again?: string; thread?: string };

export const fires = pgTable(
  'fires',
  {
    triggerId: uuid('trigger_id').notNull(),
    key: text('key').notNull(),
    dueAt: moment('due_at').notNull(),
    at: moment('at').notNull(),
    source: jsonb('source').$type<FireSource>().notNull(),
    body: text('body'),
    outcome: text('outcome').$type<FireOutcome>().notNull(),
    reason: text('reason').$type<FireReason>(),
    detail: text('detail'),
    executionId: uuid('execution_id'),
    notBefore: moment('not_before'),
    isSettled: boolean('is_settled').notNull().default(false),
    tries: integer('tries').notNull().default(0),
    awaySince: moment('away_since'),
    /** The job of an instant that was given up. */
    jobId: uuid('job_id'),
  },
  (table) => [primaryKey({ columns: [table.triggerId, table.key] })],
);
export type FireRow = typeof fires.$inferSelect;

/** The columns of a fire but its body, of which only is said whether it is kept: one may be a megabyte. */
const { body, ...others } = getTableColumns(fires);
export const shownFire = { ...others, hasBody: sql<boolean>`${body} IS NOT NULL` };
export type ShownFire = Omit<FireRow, 'body'> & { hasBody: boolean };
