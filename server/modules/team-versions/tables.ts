import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { TeamAgents, TeamSettings } from '../../../contract/team-version.ts';
import { integer, jsonb, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';

/** A row never changes, but for its name and note. */
export const teamVersions = pgTable('team_versions', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  number: integer('number').notNull(),
  canvasVersion: integer('canvas_version').notNull(),
  document: jsonb('document').$type<CanvasDocument>().notNull(),
  agents: jsonb('agents').$type<TeamAgents>().notNull(),
  settings: jsonb('settings').$type<TeamSettings>().notNull(),
  hash: text('hash').notNull(),
  /** Null for a version that a run has made. */
  name: text('name'),
  note: text('note').notNull().default(''),
  createdBy: uuid('created_by'),
  at: moment('at').notNull().defaultNow(),
});
