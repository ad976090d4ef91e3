import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { Project } from '../../../contract/project.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const projects = pgTable('projects', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  status: text('status').$type<Project['status']>().notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
  parallelSteps: integer('parallel_steps'),
  holdHandOffs: boolean('hold_hand_offs').notNull().default(false),
  canvasVersion: integer('canvas_version').notNull().default(0),
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
