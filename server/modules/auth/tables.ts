import { boolean, integer, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull().unique(),
  name: text('name').notNull(),
  passwordHash: text('password_hash').notNull(),
  /** Staff on its own machine. All other staff is computed from the settings. */
  isFirst: boolean('is_staff').notNull().default(false),
  emailVerifiedAt: moment('email_verified_at'),
  language: text('language', { enum: ['ru', 'en'] }),
  /** When the account can no longer be taken back; null unless it is being deleted. */
  deletionDueAt: moment('deletion_due_at'),
  /** Since when its data is being removed. */
  removalBeganAt: moment('removal_began_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
  endedAt: moment('ended_at'),
  placeHash: text('place_hash'),
});

export const passwordResets = pgTable('password_resets', {
  hash: text('hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const emailVerifications = pgTable('email_verifications', {
  hash: text('hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  email: text('email').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const socketTickets = pgTable('socket_tickets', {
  hash: text('hash').primaryKey(),
  sessionId: uuid('session_id').notNull(),
  userId: uuid('user_id').notNull(),
  tokenGoodUntil: moment('token_good_until').notNull(),
  expiresAt: moment('expires_at').notNull(),
});

export const refreshTokens = pgTable('refresh_tokens', {
  hash: text('hash').primaryKey(),
  sessionId: uuid('session_id').notNull(),
  successorHash: text('successor_hash'),
  createdAt: moment('created_at').notNull().defaultNow(),
  firstUsedAt: moment('first_used_at'),
  successors: integer('successors').notNull().default(0),
  successorIssuedAt: moment('successor_issued_at'),
  supersededAt: moment('superseded_at'),
});
