import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, inArray, sql } from '../../platform/database/drizzle.ts';
import { lockByName, ownedRows, readPage } from '../../platform/database/owned-rows.ts';
import { mapRows, type UniqueRows } from '../../platform/database/unique-rows.ts';
import { agents } from '../agents/index.ts';
import { agentTools, serverTools, toolServers } from './tables.ts';

export type ToolServerRow = typeof toolServers.$inferSelect;
export type ServerToolRow = typeof serverTools.$inferSelect;

const ownServers = ownedRows(toolServers, { owner: toolServers.projectId, order: [asc(toolServers.createdAt), asc(toolServers.id)] });
const toolOrder = [asc(serverTools.serverId), asc(serverTools.name)];
const ownTools = ownedRows(serverTools, { owner: serverTools.projectId, order: toolOrder });

/** Tool servers of projects with their tools. The caller has checked whose project it is. */
export class ToolServerRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  list(projectId: string): Promise<ToolServerRow[]> {
    return ownServers.list(this.#db, projectId);
  }

  find(projectId: string, id: string): Promise<ToolServerRow | null> {
    return ownServers.find(this.#db, projectId, id);
  }

  /** Locks a project until the transaction ends: its servers and the names of their tools are counted together. */
  async lockProject(projectId: string): Promise<void> {
    await lockByName(this.#db, `tool-servers ${projectId}`);
  }

  /** Like `find`, and locks the server until the transaction ends. */
  lock(projectId: string, id: string): Promise<ToolServerRow | null> {
    return ownServers.lock(this.#db, projectId, id);
  }

  async add(row: typeof toolServers.$inferInsert): Promise<ToolServerRow> {
    const [stored] = await this.#db.insert(toolServers).values(row).onConflictDoNothing().returning();
    return stored ?? ((await this.#db.select().from(toolServers).where(eq(toolServers.id, row.id)))[0] as ToolServerRow);
  }

  update(projectId: string, id: string, change: Partial<ToolServerRow>): Promise<ToolServerRow | null> {
    return ownServers.update(this.#db, projectId, id, change);
  }

  /** Takes the right to replace a key for some time, unless another node has it, or the key is another one by now. */
  async claimRefresh(id: string, keySealed: string, leaseMs: number): Promise<boolean> {
    const { rowCount } =
      await this.#db.execute(sql`UPDATE tool_servers SET refreshing_until = now() + make_interval(secs => ${leaseMs / 1_000})
        WHERE id = ${id} AND key_sealed = ${keySealed} AND (refreshing_until IS NULL OR refreshing_until < now())`);
    return (rowCount ?? 0) > 0;
  }

  /** Replaces a key, unless it is another one by now. The right to do so ends. */
  async putRefreshed(id: string, before: string, keySealed: string | null): Promise<void> {
    await this.#db
      .update(toolServers)
      .set({ keySealed, refreshingUntil: null })
      .where(and(eq(toolServers.id, id), eq(toolServers.keySealed, before)));
  }

  /** Takes what the end of a sign-in needs: each one ends once. */
  async takeSignIn(projectId: string, id: string, sealed: string): Promise<boolean> {
    const rows = await this.#db
      .update(toolServers)
      .set({ signInSealed: null })
      .where(and(eq(toolServers.projectId, projectId), eq(toolServers.id, id), eq(toolServers.signInSealed, sealed)))
      .returning({ id: toolServers.id });
    return rows.length > 0;
  }

  remove(projectId: string, id: string): Promise<boolean> {
    return ownServers.remove(this.#db, projectId, id);
  }

  tools(projectId: string, serverId: string | null): Promise<ServerToolRow[]> {
    return ownTools.list(this.#db, projectId, serverId === null ? undefined : eq(serverTools.serverId, serverId));
  }

  /** Returns some of the tools of servers, and how many there are. */
  async toolsOf(
    projectId: string,
    serverIds: readonly string[],
    page: { limit: number; offset: number },
  ): Promise<{ items: ServerToolRow[]; total: number }> {
    if (serverIds.length === 0) return { items: [], total: 0 };
    const where = and(eq(serverTools.projectId, projectId), inArray(serverTools.serverId, [...serverIds]));
    return readPage(this.#db, { table: serverTools, where, order: toolOrder }, page);
  }

  /** Returns a tool and locks it until the transaction ends. */
  lockTool(projectId: string, id: string): Promise<ServerToolRow | null> {
    return ownTools.lock(this.#db, projectId, id);
  }

  async callNames(projectId: string): Promise<string[]> {
    const rows = await this.#db.select({ name: serverTools.callName }).from(serverTools).where(eq(serverTools.projectId, projectId));
    return rows.map(({ name }) => name);
  }

  async addTools(rows: UniqueRows<ServerToolRow>): Promise<void> {
    if (rows.length > 0) await this.#db.insert(serverTools).values(rows);
  }

  updateTool(projectId: string, id: string, change: Partial<ServerToolRow>): Promise<ServerToolRow | null> {
    return ownTools.update(this.#db, projectId, id, change);
  }

  /** Returns how many tools of each server of a project are in which state. */
  states(projectId: string) {
    return this.#db
      .select({
        serverId: serverTools.serverId,
        isMissing: serverTools.isMissing,
        isChanged: sql<boolean>`${serverTools.current} IS NOT NULL`,
        total: count(),
      })
      .from(serverTools)
      .where(eq(serverTools.projectId, projectId))
      .groupBy(serverTools.serverId, serverTools.isMissing, sql`${serverTools.current} IS NOT NULL`);
  }

  /** Returns the tools that an agent may call in a project, by their names. */
  agentTools(projectId: string, agentId: string): Promise<ServerToolRow[]> {
    return this.#db
      .select({ tool: serverTools })
      .from(agentTools)
      .innerJoin(serverTools, eq(serverTools.id, agentTools.toolId))
      .where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)))
      .orderBy(asc(serverTools.callName))
      .then((rows) => rows.map(({ tool }) => tool));
  }

  /** The same with their servers, for a run. Of a version of the team those that are still as its hashes say. */
  ticked(projectId: string, agentId: string, teamVersionId: string | null): Promise<{ tool: ServerToolRow; server: ToolServerRow }[]> {
    if (teamVersionId !== null) return this.#tickedIn(projectId, agentId, teamVersionId);
    return this.#db
      .select({ tool: serverTools, server: toolServers })
      .from(agentTools)
      .innerJoin(serverTools, eq(serverTools.id, agentTools.toolId))
      .innerJoin(toolServers, eq(toolServers.id, serverTools.serverId))
      .where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)))
      .orderBy(asc(serverTools.callName));
  }

  #tickedIn(projectId: string, agentId: string, teamVersionId: string) {
    const ofVersion = sql`EXISTS (SELECT FROM team_versions AS version WHERE version.id = ${teamVersionId} AND version.project_id = ${projectId}
      AND version.agents->${agentId}::text->'tools'
        @> jsonb_build_array(jsonb_build_object('id', ${serverTools.id}, 'pinnedHash', ${serverTools.pinnedHash})))`;
    return this.#db
      .select({ tool: serverTools, server: toolServers })
      .from(serverTools)
      .innerJoin(toolServers, eq(toolServers.id, serverTools.serverId))
      .where(and(eq(serverTools.projectId, projectId), ofVersion))
      .orderBy(asc(serverTools.callName));
  }

  /** Replaces the tools of an agent in a project. */
  async setAgentTools(projectId: string, agentId: string, toolIds: UniqueRows<string>): Promise<void> {
    // Locks the agent: of two changes at the same time one follows the other.
    await this.#db.select({ id: agents.id }).from(agents).where(eq(agents.id, agentId)).for('no key update');
    await this.#db.delete(agentTools).where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)));
    if (toolIds.length === 0) return;
    await this.#db.insert(agentTools).values(mapRows(toolIds, (toolId) => ({ agentId, toolId, projectId })));
    await this.#db.update(agents).set({ hasTools: true }).where(eq(agents.id, agentId));
  }

  async knownTools(projectId: string, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const [row] = await this.#db
      .select({ total: count() })
      .from(serverTools)
      .where(and(eq(serverTools.projectId, projectId), inArray(serverTools.id, [...ids])));
    return row?.total ?? 0;
  }
}
