import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { InstallPolicy } from '../../../contract/runner.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, sql } from '../../platform/database/drizzle.ts';
import { readPage } from '../../platform/database/owned-rows.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { type BindValue, writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { countInTurn } from '../storage/index.ts';
import { canvasConnections, canvasNodes, projects } from './tables.ts';
import { isSnapshotDue } from './versions/snapshots.ts';

export type ProjectRow = typeof projects.$inferSelect;
export type ProjectStatus = ProjectRow['status'];
export type ProjectChange = Partial<
  Pick<
    ProjectRow,
    | 'name'
    | 'description'
    | 'status'
    | 'parallelSteps'
    | 'holdHandOffs'
    | 'testCommand'
    | 'installs'
    | 'fetchHosts'
    | 'maxTurns'
    | 'maxCalls'
  >
>;

/** `isSnapshotDue`: the canvas as it is has to be stored before its next change. */
type LockedCanvas = { id: string; version: number; isSnapshotDue: boolean };

const tables = { nodes: canvasNodes, connections: canvasConnections } as const;
type Collection = keyof typeof tables;

/** SQL text, alone or inside another statement: the id of an owner's project, of the owner's first one for `default`. */
export function selectProjectId(userId: OwnerId, project: string, place: BindValue): string {
  const owned = `SELECT id FROM projects WHERE user_id = ${place(userId)}::uuid`;
  return project === 'default' ? `${owned} ORDER BY created_at, id LIMIT 1` : `${owned} AND id = ${place(project)}::uuid`;
}

/** Projects and their canvases. Every query names the owner. */
export class ProjectRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  list(userId: OwnerId, status: ProjectStatus | null, page: { limit: number; offset: number }) {
    const where = and(eq(projects.userId, userId), status === null ? undefined : eq(projects.status, status));
    return readPage(this.#db, { table: projects, where, order: [asc(projects.createdAt), asc(projects.id)] }, page);
  }

  /** Counts the projects of an account, near the limit in its turn: two counts then never see the same number. */
  countBelow(userId: OwnerId, limit: number): Promise<number> {
    return countInTurn(this.#db, { userId, limit, count: async () => this.#db.$count(projects, eq(projects.userId, userId)) });
  }

  async find(userId: OwnerId, id: string): Promise<ProjectRow | null> {
    const [row] = await this.#db.select().from(projects).where(owned(userId, id));
    return row ?? null;
  }

  async first(userId: OwnerId): Promise<ProjectRow | null> {
    const [row] = await this.#db
      .select()
      .from(projects)
      .where(eq(projects.userId, userId))
      .orderBy(asc(projects.createdAt), asc(projects.id))
      .limit(1);
    return row ?? null;
  }

  async add(project: typeof projects.$inferInsert): Promise<ProjectRow> {
    const [row] = await this.#db.insert(projects).values(project).returning();
    if (!row) throw new Error('The project was not stored.');
    return row;
  }

  async update(userId: OwnerId, id: string, change: ProjectChange): Promise<ProjectRow | null> {
    const [row] = await this.#db
      .update(projects)
      .set({ ...change, updatedAt: sql`now()` })
      .where(owned(userId, id))
      .returning();
    return row ?? null;
  }

  /** Returns the ids of all the user's projects, locked until the transaction ends. */
  async lockAll(userId: OwnerId): Promise<string[]> {
    const rows = await this.#db
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.userId, userId))
      .orderBy(asc(projects.id))
      .for('update');
    return rows.map(({ id }) => id);
  }

  /** Removes a project with its canvas, pipelines, executions and history. */
  async remove(userId: OwnerId, id: string): Promise<void> {
    await this.#db.delete(projects).where(owned(userId, id));
  }

  /** Returns the ids of the agents on the canvas. */
  async agentsOnCanvas(id: string): Promise<string[]> {
    const agentId = sql<string>`${canvasNodes.value} ->> 'serverAgentId'`;
    const cards = and(eq(canvasNodes.projectId, id), sql`${canvasNodes.value} ->> 'type' = 'agent'`, sql`${agentId} IS NOT NULL`);
    return (await this.#db.selectDistinct({ agentId }).from(canvasNodes).where(cards)).map((row) => row.agentId);
  }

  async ownerOf(id: string): Promise<string | null> {
    const [row] = await this.#db.select({ userId: projects.userId }).from(projects).where(eq(projects.id, id));
    return row?.userId ?? null;
  }

  /** Returns the test command of a project that is known to be the user's, or of a version of its team. */
  async testCommand(id: string, teamVersionId: string | null): Promise<string | null> {
    return (await this.#settings(id, teamVersionId))?.testCommand ?? null;
  }

  /** The same for what a runner installs before it. */
  async installPolicy(id: string, teamVersionId: string | null): Promise<InstallPolicy> {
    return (await this.#settings(id, teamVersionId))?.installs ?? 'manifest';
  }

  /** The same for the hosts of its own whose pages agents may read. */
  async fetchHosts(id: string, teamVersionId: string | null): Promise<string[]> {
    return (await this.#settings(id, teamVersionId))?.fetchHosts ?? [];
  }

  async #settings(
    id: string,
    teamVersionId: string | null,
  ): Promise<Pick<ProjectRow, 'testCommand' | 'installs' | 'fetchHosts'> | undefined> {
    const { testCommand, installs, fetchHosts } = projects;
    if (teamVersionId === null)
      return (await this.#db.select({ testCommand, installs, fetchHosts }).from(projects).where(eq(projects.id, id)))[0];
    const { rows } = await this.#db.execute<{ settings: Pick<ProjectRow, 'testCommand' | 'installs' | 'fetchHosts'> }>(
      sql`SELECT settings FROM team_versions WHERE id = ${teamVersionId} AND project_id = ${id}`,
    );
    return rows[0]?.settings;
  }

  /** Returns the canvas's version; null for a project that is gone. */
  async canvasVersion(id: string): Promise<number | null> {
    const [row] = await this.#db.select({ version: projects.canvasVersion }).from(projects).where(eq(projects.id, id));
    return row?.version ?? null;
  }

  /** Locks the canvas of an owner's project, also of `default`, against other writers until the transaction ends. Null for a foreign project. */
  async lockCanvas(userId: OwnerId, project: string): Promise<LockedCanvas | null> {
    const statement = writeStatement(
      (place) => `SELECT id, canvas_version AS version, ${isSnapshotDue} AS "isSnapshotDue" FROM projects
        WHERE id = (${selectProjectId(userId, project, place)}) FOR NO KEY UPDATE`,
    );
    const [row] = await runIn(this.#db)(statement);
    return (row as LockedCanvas | undefined) ?? null;
  }

  async readCanvas(id: string): Promise<CanvasDocument> {
    const records = async (collection: Collection) => {
      const { rows } = await this.#db.execute<{ records: Record<string, never> | null }>(
        sql`SELECT json_object_agg(id, value ORDER BY id) AS records FROM ${tables[collection]} WHERE project_id = ${id}`,
      );
      return rows[0]?.records ?? {};
    };
    return { nodes: await records('nodes'), connections: await records('connections') };
  }

  /** Returns the length of the canvas as JSON, without the outer braces (bytes). */
  async canvasBytes(id: string): Promise<number> {
    const { rows } = await this.#db.execute<{ bytes: string }>(sql`SELECT
        (SELECT coalesce(sum(octet_length(value::text)), 0) FROM ${tables.nodes} WHERE project_id = ${id})
        + (SELECT coalesce(sum(octet_length(value::text)), 0) FROM ${tables.connections} WHERE project_id = ${id}) AS bytes`);
    return Number(rows[0]?.bytes ?? 0);
  }
}

function owned(userId: OwnerId, id: string) {
  return and(eq(projects.id, id), eq(projects.userId, userId));
}
