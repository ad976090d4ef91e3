import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, sql } from '../../platform/database/drizzle.ts';
import type { Place } from '../../platform/database/statement.ts';
import { countInTurn } from '../storage/index.ts';
import { canvasConnections, canvasNodes, projects } from './tables.ts';

export type ProjectRow = typeof projects.$inferSelect;
export type ProjectStatus = ProjectRow['status'];
export type ProjectChange = Partial<
  Pick<
    ProjectRow,
    'name' | 'description' | 'status' | 'parallelSteps' | 'holdHandOffs' | 'testCommand' | 'fetchHosts' | 'maxTurns' | 'maxCalls'
  >
>;

const tables = { nodes: canvasNodes, connections: canvasConnections } as const;
type Collection = keyof typeof tables;

/** SQL text, alone or inside another statement: the id of an owner's project, of the owner's first one for `default`. */
export function selectProjectId(userId: string, project: string, place: Place): string {
  const owned = `SELECT id FROM projects WHERE user_id = ${place(userId)}::uuid`;
  return project === 'default' ? `${owned} ORDER BY created_at, id LIMIT 1` : `${owned} AND id = ${place(project)}::uuid`;
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

    /** Counts the projects of an account, near the limit in its turn: two counts then never see the same number. */
    countBelow: (userId: string, limit: number): Promise<number> => {
      const countAll = async () => (await db.select({ total: count() }).from(projects).where(eq(projects.userId, userId)))[0]?.total ?? 0;
      return countInTurn(db, { userId, limit, count: countAll });
    },

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

    ownerOf: async (id: string): Promise<string | null> => {
      const [row] = await db.select({ userId: projects.userId }).from(projects).where(eq(projects.id, id));
      return row?.userId ?? null;
    },

    /** Returns the test command of a project that is known to be the user's. */
    testCommand: async (id: string): Promise<string | null> => {
      const [row] = await db.select({ command: projects.testCommand }).from(projects).where(eq(projects.id, id));
      return row?.command ?? null;
    },

    /** The same for the hosts of its own whose pages agents may read. */
    fetchHosts: async (id: string): Promise<string[]> => {
      const [row] = await db.select({ hosts: projects.fetchHosts }).from(projects).where(eq(projects.id, id));
      return row?.hosts ?? [];
    },

    /** Returns the canvas's version; null for a project that is gone. */
    canvasVersion: async (id: string): Promise<number | null> =>
      (await db.select({ version: projects.canvasVersion }).from(projects).where(eq(projects.id, id)))[0]?.version ?? null,

    /** Returns the canvas's version, locked against other writers until the transaction ends. */
    lockVersion: async (userId: string, id: string): Promise<number | null> =>
      (
        await db
          .select({ version: projects.canvasVersion })
          .from(projects)
          .where(and(eq(projects.id, id), eq(projects.userId, userId)))
          .for('no key update')
      )[0]?.version ?? null,

    /** Sets the canvas's version, and adds to the bytes of its versions. Returns their sum. */
    setVersion: async (id: string, version: number, addedBytes: number): Promise<number> => {
      const [row] = await db
        .update(projects)
        .set({ canvasVersion: version, versionsBytes: sql`${projects.versionsBytes} + ${addedBytes}`, updatedAt: sql`now()` })
        .where(eq(projects.id, id))
        .returning({ bytes: projects.versionsBytes });
      return row?.bytes ?? 0;
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
  };
}

function ownedWith(userId: string, status: ProjectStatus | null) {
  return and(eq(projects.userId, userId), status === null ? undefined : eq(projects.status, status));
}
