import type { GitSource, InputFile, InputRefusal } from '../../../contract/input.ts';
import { boolean, customType, integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A file of an archive or a repository that a set does not have. */
export type LeftOutFile = { path: string; reason: InputRefusal; from: InputFile['from'] };

/**
 * A published run whose branch the files of a set come from: the branch, and the one that it is for. `hasReview`: the comments of its pull request
 * were read for the task.
 */
export type FollowedRun = { executionId: string; branch: string; base: string; hasReview: boolean };

export const inputSets = pgTable('input_sets', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  git: jsonb('git').$type<GitSource>(),
  follows: jsonb('follows').$type<FollowedRun>(),
  leftOut: jsonb('left_out').$type<LeftOutFile[]>(),
  /** The tree of its repository; null without one, and for a set of an earlier version, whose files are its own rows. */
  baseId: uuid('base_id'),
  createdAt: moment('created_at').notNull().defaultNow(),
  sealedAt: moment('sealed_at'),
  /** Of a set that a start has made for itself, and that no one else knows: it is removed if its run has not begun by then. */
  startsUntil: moment('starts_until'),
});

/** What a file holds, as both tables have it. */
const ofFile = () => ({
  setId: uuid('set_id').notNull(),
  path: text('path').notNull(),
  mime: text('mime').notNull(),
  kind: text('kind').$type<InputFile['kind']>().notNull(),
  bytes: integer('bytes').notNull(),
  sha256: text('sha256').notNull(),
  executable: boolean('executable').notNull(),
  content: bytea('content'),
  text: text('text'),
  encoding: text('encoding'),
  replaced: integer('replaced').notNull().default(0),
});

export const inputFiles = pgTable('input_files', { ...ofFile(), source: text('source').$type<InputFile['from']>().notNull() }, (table) => [
  primaryKey({ columns: [table.setId, table.path] }),
]);

/** Files of the repository of a set that its user has removed or replaced: what a patch and a commit find there. */
export const replacedGitFiles = pgTable('replaced_git_files', ofFile(), (table) => [primaryKey({ columns: [table.setId, table.path] })]);

/** A view: the files of sets with those of their bases. It is read by the id of one set as a value, or PostgreSQL reads the bases of all sets. */
export const filesOfSets = pgTable('files_of_sets', { ...ofFile(), source: text('source').$type<InputFile['from']>().notNull() });

/** The blobs of the repositories of an account, by their names in Git. */
export const gitBlobs = pgTable(
  'git_blobs',
  {
    userId: uuid('user_id').$type<OwnerId>().notNull(),
    oid: text('oid').notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    kind: text('kind').$type<InputFile['kind']>().notNull(),
    mime: text('mime').notNull(),
    content: bytea('content'),
    text: text('text'),
    encoding: text('encoding'),
    replaced: integer('replaced').notNull().default(0),
    reason: text('reason').$type<InputRefusal>(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.oid] })],
);
