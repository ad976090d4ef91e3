import type { CanvasNode, CanvasPatch, Connection } from '../../../contract/canvas.ts';
import type { CanvasMark, VersionCounts } from '../../../contract/canvas-version.ts';
import type { Project } from '../../../contract/project.ts';
import { boolean, figure, integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const projects = pgTable('projects', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  status: text('status').$type<Project['status']>().notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
  parallelSteps: integer('parallel_steps'),
  holdHandOffs: boolean('hold_hand_offs').notNull().default(false),
  testCommand: text('test_command'),
  installs: text('installs').$type<NonNullable<Project['installs']>>(),
  fetchHosts: jsonb('fetch_hosts').$type<string[]>(),
  maxTurns: integer('max_turns'),
  maxCalls: integer('max_calls'),
  canvasVersion: integer('canvas_version').notNull().default(0),
  /** The bytes of its versions, and the newest version that was removed for space. */
  versionsBytes: figure('versions_bytes').notNull().default(0),
  versionsTrimmed: integer('versions_trimmed').notNull().default(0),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const canvasNodes = pgTable(
  'canvas_nodes',
  { projectId: uuid('project_id').notNull(), id: text('id').notNull(), value: jsonb('value').$type<CanvasNode>().notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

export const canvasConnections = pgTable(
  'canvas_connections',
  { projectId: uuid('project_id').notNull(), id: text('id').notNull(), value: jsonb('value').$type<Connection>().notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** Saved changes. `version` is the one after the change; patches are null where only a snapshot is left. */
export const canvasChanges = pgTable(
  'canvas_changes',
  {
    projectId: uuid('project_id').notNull(),
    version: integer('version').notNull(),
    patches: jsonb('patches').$type<CanvasPatch[]>(),
    inverse: jsonb('inverse').$type<CanvasPatch[]>(),
    author: uuid('author'),
    clientId: text('client_id'),
    at: moment('at').notNull().defaultNow(),
    counts: jsonb('counts').$type<VersionCounts>().notNull(),
    titles: text('titles').array().notNull(),
    bytes: figure('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.version] })],
);

export const canvasMarks = pgTable(
  'canvas_marks',
  {
    projectId: uuid('project_id').notNull(),
    version: integer('version').notNull(),
    kind: text('kind').$type<CanvasMark['kind']>().notNull(),
    name: text('name').notNull(),
    note: text('note').notNull().default(''),
    executionId: uuid('execution_id'),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.version] })],
);
