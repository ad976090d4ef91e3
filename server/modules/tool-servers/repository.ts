import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, inArray, sql } from '../../platform/database/drizzle.ts';
import { mapRows, type UniqueRows } from '../../platform/database/unique-rows.ts';
import { agents } from '../agents/index.ts';
import { agentTools, serverTools, toolServers } from './tables.ts';

export type ToolServerRow = typeof toolServers.$inferSelect;
export type ServerToolRow = typeof serverTools.$inferSelect;

/** Tool servers of projects with their tools. The caller has checked whose project it is. */
export function toolServerRepository(db: Db) {
  const ofProject = (projectId: string, id: string) => and(eq(toolServers.projectId, projectId), eq(toolServers.id, id));
  return {
    list: (projectId: string): Promise<ToolServerRow[]> =>
      db.select().from(toolServers).where(eq(toolServers.projectId, projectId)).orderBy(asc(toolServers.createdAt), asc(toolServers.id)),

    find: async (projectId: string, id: string): Promise<ToolServerRow | null> =>
      (await db.select().from(toolServers).where(ofProject(projectId, id)))[0] ?? null,

    /** Locks a project until the transaction ends: its servers and the names of their tools are counted together. */
    lockProject: async (projectId: string): Promise<void> => {
      await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tool-servers ${projectId}`}, 0))`);
    },

    /** Like `find`, and locks the server until the transaction ends. */
    lock: async (projectId: string, id: string): Promise<ToolServerRow | null> =>
      (await db.select().from(toolServers).where(ofProject(projectId, id)).for('update'))[0] ?? null,

    add: async (row: typeof toolServers.$inferInsert): Promise<ToolServerRow> => {
      const [stored] = await db.insert(toolServers).values(row).onConflictDoNothing().returning();
      return stored ?? ((await db.select().from(toolServers).where(eq(toolServers.id, row.id)))[0] as ToolServerRow);
    },

    update: async (projectId: string, id: string, change: Partial<ToolServerRow>): Promise<ToolServerRow | null> =>
      (await db.update(toolServers).set(change).where(ofProject(projectId, id)).returning())[0] ?? null,

    /** Takes the right to replace a key for some time, unless another node has it, or the key is another one by now. */
    claimRefresh: async (id: string, keySealed: string, leaseMs: number): Promise<boolean> => {
      const { rowCount } = await db.execute(sql`UPDATE tool_servers SET refreshing_until = now() + make_interval(secs => ${leaseMs / 1_000})
        WHERE id = ${id} AND key_sealed = ${keySealed} AND (refreshing_until IS NULL OR refreshing_until < now())`);
      return (rowCount ?? 0) > 0;
    },

    /** Replaces a key, unless it is another one by now. The right to do so ends. */
    putRefreshed: async (id: string, before: string, keySealed: string | null): Promise<void> => {
      await db
        .update(toolServers)
        .set({ keySealed, refreshingUntil: null })
        .where(and(eq(toolServers.id, id), eq(toolServers.keySealed, before)));
    },

    /** Takes what the end of a sign-in needs: each one ends once. */
    takeSignIn: async (projectId: string, id: string, sealed: string): Promise<boolean> =>
      (
        await db
          .update(toolServers)
          .set({ signInSealed: null })
          .where(and(ofProject(projectId, id), eq(toolServers.signInSealed, sealed)))
          .returning({ id: toolServers.id })
      ).length > 0,

    remove: async (projectId: string, id: string): Promise<boolean> =>
      (await db.delete(toolServers).where(ofProject(projectId, id)).returning({ id: toolServers.id })).length > 0,

    tools: (projectId: string, serverId: string | null): Promise<ServerToolRow[]> =>
      db
        .select()
        .from(serverTools)
        .where(and(eq(serverTools.projectId, projectId), serverId === null ? undefined : eq(serverTools.serverId, serverId)))
        .orderBy(asc(serverTools.serverId), asc(serverTools.name)),

    /** Returns some of the tools of servers, and how many there are. */
    toolsOf: async (
      projectId: string,
      serverIds: readonly string[],
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ rows: ServerToolRow[]; total: number }> => {
      if (serverIds.length === 0) return { rows: [], total: 0 };
      const those = and(eq(serverTools.projectId, projectId), inArray(serverTools.serverId, [...serverIds]));
      const order = [asc(serverTools.serverId), asc(serverTools.name)];
      const [rows, [counted]] = await Promise.all([
        db
          .select()
          .from(serverTools)
          .where(those)
          .orderBy(...order)
          .limit(limit)
          .offset(offset),
        db.select({ total: count() }).from(serverTools).where(those),
      ]);
      return { rows, total: counted?.total ?? 0 };
    },

    /** Returns a tool and locks it until the transaction ends. */
    lockTool: async (projectId: string, id: string): Promise<ServerToolRow | null> =>
      (
        await db
          .select()
          .from(serverTools)
          .where(and(eq(serverTools.projectId, projectId), eq(serverTools.id, id)))
          .for('update')
      )[0] ?? null,

    callNames: async (projectId: string): Promise<string[]> =>
      (await db.select({ name: serverTools.callName }).from(serverTools).where(eq(serverTools.projectId, projectId))).map(
        ({ name }) => name,
      ),

    addTools: async (rows: UniqueRows<ServerToolRow>): Promise<void> => {
      if (rows.length > 0) await db.insert(serverTools).values(rows);
    },

    updateTool: async (projectId: string, id: string, change: Partial<ServerToolRow>): Promise<ServerToolRow | null> =>
      (
        await db
          .update(serverTools)
          .set(change)
          .where(and(eq(serverTools.projectId, projectId), eq(serverTools.id, id)))
          .returning()
      )[0] ?? null,

    /** Returns how many tools of each server of a project are in which state. */
    states: (projectId: string) =>
      db
        .select({
          serverId: serverTools.serverId,
          isMissing: serverTools.isMissing,
          isChanged: sql<boolean>`${serverTools.current} IS NOT NULL`,
          total: count(),
        })
        .from(serverTools)
        .where(eq(serverTools.projectId, projectId))
        .groupBy(serverTools.serverId, serverTools.isMissing, sql`${serverTools.current} IS NOT NULL`),

    /** Returns the tools that an agent may call in a project, by their names. */
    agentTools: (projectId: string, agentId: string): Promise<ServerToolRow[]> =>
      db
        .select({ tool: serverTools })
        .from(agentTools)
        .innerJoin(serverTools, eq(serverTools.id, agentTools.toolId))
        .where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)))
        .orderBy(asc(serverTools.callName))
        .then((rows) => rows.map(({ tool }) => tool)),

    /** The same with their servers, for a run. */
    ticked: (projectId: string, agentId: string): Promise<{ tool: ServerToolRow; server: ToolServerRow }[]> =>
      db
        .select({ tool: serverTools, server: toolServers })
        .from(agentTools)
        .innerJoin(serverTools, eq(serverTools.id, agentTools.toolId))
        .innerJoin(toolServers, eq(toolServers.id, serverTools.serverId))
        .where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)))
        .orderBy(asc(serverTools.callName)),

    /** Replaces the tools of an agent in a project. */
    setAgentTools: async (projectId: string, agentId: string, toolIds: UniqueRows<string>): Promise<void> => {
      // Locks the agent: of two changes at the same time one follows the other.
      await db.select({ id: agents.id }).from(agents).where(eq(agents.id, agentId)).for('no key update');
      await db.delete(agentTools).where(and(eq(agentTools.agentId, agentId), eq(agentTools.projectId, projectId)));
      if (toolIds.length === 0) return;
      await db.insert(agentTools).values(mapRows(toolIds, (toolId) => ({ agentId, toolId, projectId })));
      await db.update(agents).set({ hasTools: true }).where(eq(agents.id, agentId));
    },

    knownTools: async (projectId: string, ids: readonly string[]): Promise<number> =>
      ids.length === 0
        ? 0
        : ((
            await db
              .select({ total: count() })
              .from(serverTools)
              .where(and(eq(serverTools.projectId, projectId), inArray(serverTools.id, [...ids])))
          )[0]?.total ?? 0),
  };
}
