import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';
import { jsonText } from '../../http/bodies/json-text.ts';
import type { Db } from '../../platform/database/database.ts';
import { canvasConnections, canvasNodes, projects } from './tables.ts';

export type ProjectRow = typeof projects.$inferSelect;
export type ProjectStatus = ProjectRow['status'];
export type ProjectChange = Partial<Pick<ProjectRow, 'name' | 'description' | 'status' | 'parallelSteps' | 'holdHandOffs'>>;

const tables = { nodes: canvasNodes, connections: canvasConnections } as const;
type Collection = keyof typeof tables;

/** Returns the id of an owner's project, or of the owner's first one: one prepared statement, since every command needs it. */
export function ownedProjectId(db: Db) {
  const [id, userId] = [sql.placeholder('id'), sql.placeholder('userId')];
  const named = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), eq(projects.userId, userId)))
    .prepare('owned_project_id');
  const first = db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.userId, userId))
    .orderBy(asc(projects.createdAt), asc(projects.id))
    .limit(1)
    .prepare('first_project_id');
  return async (user: string, project: string): Promise<string | null> =>
    (project === 'default' ? await first.execute({ userId: user }) : await named.execute({ userId: user, id: project }))[0]?.id ?? null;
}

/** Projects and their canvases. Every query names the owner. */
export function projectRepository(db: Db) {
  return {
    list: (userId: string, status: ProjectStatus | null, limit: number, offset: number): Promise<ProjectRow[]> =>
      db
        .select()
        .from(projects)
        .where(ownedWith(userId, status))
        .orderBy(asc(projects.createdAt), asc(projects.id))
        .limit(limit)
        .offset(offset),

    count: async (userId: string, status: ProjectStatus | null): Promise<number> =>
      (await db.select({ total: count() }).from(projects).where(ownedWith(userId, status)))[0]?.total ?? 0,

    find: async (userId: string, id: string): Promise<ProjectRow | null> =>
      (
        await db
          .select()
          .from(projects)
          .where(and(eq(projects.id, id), eq(projects.userId, userId)))
      )[0] ?? null,

    first: async (userId: string): Promise<ProjectRow | null> =>
      (
        await db.select().from(projects).where(eq(projects.userId, userId)).orderBy(asc(projects.createdAt), asc(projects.id)).limit(1)
      )[0] ?? null,

    add: async (project: typeof projects.$inferInsert): Promise<ProjectRow> => {
      const [row] = await db.insert(projects).values(project).returning();
      if (!row) throw new Error('The project was not stored.');
      return row;
    },

    update: async (userId: string, id: string, change: ProjectChange): Promise<ProjectRow | null> =>
      (
        await db
          .update(projects)
          .set({ ...change, updatedAt: sql`now()` })
          .where(and(eq(projects.id, id), eq(projects.userId, userId)))
          .returning()
      )[0] ?? null,

    /** Returns the ids of all the user's projects, locked until the transaction ends. */
    lockAll: async (userId: string): Promise<string[]> =>
      (await db.select({ id: projects.id }).from(projects).where(eq(projects.userId, userId)).orderBy(asc(projects.id)).for('update')).map(
        ({ id }) => id,
      ),

    /** Removes a project with its canvas, pipelines, executions and history. */
    remove: async (userId: string, id: string): Promise<void> => {
      await db.delete(projects).where(and(eq(projects.id, id), eq(projects.userId, userId)));
    },

    /** Returns the ids of the agents on the canvas. */
    agentsOnCanvas: async (id: string): Promise<string[]> => {
      const agentId = sql<string>`${canvasNodes.value} ->> 'serverAgentId'`;
      const cards = and(eq(canvasNodes.projectId, id), sql`${canvasNodes.value} ->> 'type' = 'agent'`, sql`${agentId} IS NOT NULL`);
      return (await db.selectDistinct({ agentId }).from(canvasNodes).where(cards)).map((row) => row.agentId);
    },

    /** Returns the canvas's version, locked against other writers until the transaction ends. */
    lockVersion: async (userId: string, id: string): Promise<number | null> =>
      (
        await db
          .select({ version: projects.canvasVersion })
          .from(projects)
          .where(and(eq(projects.id, id), eq(projects.userId, userId)))
          .for('update')
      )[0]?.version ?? null,

    setVersion: async (id: string, version: number): Promise<void> => {
      await db.update(projects).set({ canvasVersion: version, updatedAt: sql`now()` }).where(eq(projects.id, id));
    },

    readCanvas: async (id: string): Promise<CanvasDocument> => {
      const records = async (collection: Collection) => {
        const { rows } = await db.execute<{ records: Record<string, never> | null }>(
          sql`SELECT json_object_agg(id, value ORDER BY id) AS records FROM ${tables[collection]} WHERE project_id = ${id}`,
        );
        return rows[0]?.records ?? {};
      };
      return { nodes: await records('nodes'), connections: await records('connections') };
    },

    /** Returns the length of the canvas as JSON, without the outer braces (bytes). */
    canvasBytes: async (id: string): Promise<number> => {
      const { rows } = await db.execute<{ bytes: string }>(sql`SELECT
        (SELECT coalesce(sum(octet_length(value::text)), 0) FROM ${tables.nodes} WHERE project_id = ${id})
        + (SELECT coalesce(sum(octet_length(value::text)), 0) FROM ${tables.connections} WHERE project_id = ${id}) AS bytes`);
      return Number(rows[0]?.bytes ?? 0);
    },

    /** Replaces the whole document. Each record is stored under its own id. */
    replaceCanvas: async (id: string, document: CanvasDocument): Promise<void> => {
      for (const collection of Object.keys(tables) as Collection[]) {
        const table = tables[collection];
        const records = await jsonText(document[collection]);
        await db.execute(sql`DELETE FROM ${table} WHERE project_id = ${id}`);
        await db.execute(sql`INSERT INTO ${table} (project_id, id, value)
          SELECT DISTINCT ON (record.value ->> 'id') ${id}::uuid, record.value ->> 'id', record.value
          FROM jsonb_each(${records}::jsonb) AS record`);
      }
    },

    /** Sets and removes whole records; of several patches to one record the last one wins. */
    applyPatches: async (id: string, patches: readonly CanvasPatch[]): Promise<void> => {
      for (const collection of Object.keys(tables) as Collection[]) {
        const last = new Map(patches.filter((patch) => patch.collection === collection).map((patch) => [patch.id, patch]));
        const removed = [...last.values()].filter((patch) => patch.op === 'remove').map((patch) => patch.id);
        const set = [...last.values()].flatMap((patch) => (patch.op === 'set' ? [{ id: patch.id, value: patch.value }] : []));
        const table = tables[collection];
        if (removed.length > 0) {
          await db.execute(
            sql`DELETE FROM ${table} WHERE project_id = ${id} AND id IN (SELECT jsonb_array_elements_text(${JSON.stringify(removed)}::jsonb))`,
          );
        }
        if (set.length > 0) {
          const records = await jsonText(set);
          await db.execute(sql`
            INSERT INTO ${table} (project_id, id, value)
            SELECT ${id}::uuid, record.id, record.value FROM jsonb_to_recordset(${records}::jsonb) AS record (id text, value jsonb)
            ON CONFLICT (project_id, id) DO UPDATE SET value = excluded.value`);
        }
      }
    },
  };
}

function ownedWith(userId: string, status: ProjectStatus | null) {
  return and(eq(projects.userId, userId), status === null ? undefined : eq(projects.status, status));
}
