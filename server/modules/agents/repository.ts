import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, getTableColumns, inArray, sql } from '../../platform/database/drizzle.ts';
import { readPage } from '../../platform/database/owned-rows.ts';
import { type BindValue, jsonObject } from '../../platform/database/statement.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type CallRow, callColumns, connections } from '../connections/index.ts';
import { agents } from './tables.ts';

export type AgentRow = typeof agents.$inferSelect;
/** `server`: the provider and the address of the agent's connection; null without one of the user's. */
export type ServedAgentRow = AgentRow & { server: Pick<CallRow, 'provider' | 'address'> | null };
export type NewAgentRow = typeof agents.$inferInsert & { id: string };
export type NewAgent = Omit<typeof agents.$inferInsert, 'id' | 'userId'>;
export type AgentChange = Partial<Omit<AgentRow, 'id' | 'userId' | 'createdAt' | 'updatedAt'>>;

/** The filter of a list; names match in any case. */
export type AgentFilter = Partial<
  Pick<AgentRow, 'role' | 'specialization' | 'status'> & { minAccessLevel: number; ids: readonly string[] }
>;

const served = {
  ...getTableColumns(agents),
  server: sql<ServedAgentRow['server']>`(SELECT json_build_object('provider', one.provider, 'address', one.address) FROM connections AS one
    WHERE one.id = agents.connection_id AND one.user_id = agents.user_id)`,
};

/** Rows of one statement: at most some 2 MB of prompts. */
const rowsOfSlice = 50;

/** Agents of one connection or transaction. Every query names the owner. */
export function agentRepository(db: Db) {
  const owned = (userId: OwnerId, id: string) => and(eq(agents.id, id), eq(agents.userId, userId));
  return {
    list: (userId: OwnerId, filter: AgentFilter, page: { limit: number; offset: number }) => {
      const ofUser = { table: agents, columns: served, where: ownedWith(userId, filter), order: [asc(agents.createdAt), asc(agents.id)] };
      return readPage(db, ofUser, page);
    },

    find: async (userId: OwnerId, id: string): Promise<ServedAgentRow | null> =>
      (await db.select(served).from(agents).where(owned(userId, id)))[0] ?? null,

    findAll: (userId: OwnerId, ids: readonly string[]): Promise<AgentRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : db.select().from(agents).where(ownedWith(userId, { ids })),

    /** Like `findAll`, and locks the agents against removal until the transaction ends. */
    holdAll: (userId: OwnerId, ids: readonly string[]): Promise<AgentRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : db.select().from(agents).where(ownedWith(userId, { ids })).for('key share'),

    add: (rows: NewAgentRow[]): Promise<ServedAgentRow[]> =>
      db
        .insert(agents)
        .values(distinct(rows, ({ id }) => id))
        .returning(served),

    /** Adds rows that may be large together: a slice with each statement, so that other calls go on between them. */
    addInSlices: async (rows: readonly NewAgentRow[]): Promise<Map<string, Date>> => {
      const made = new Map<string, Date>();
      for (let from = 0; from < rows.length; from += rowsOfSlice) {
        const slice = distinct(rows.slice(from, from + rowsOfSlice), ({ id }) => id);
        const added = await db.insert(agents).values(slice).returning({ id: agents.id, createdAt: agents.createdAt });
        for (const { id, createdAt } of added) made.set(id, createdAt);
      }
      return made;
    },

    /** Locks the agents in one order, and returns the ids of those that are the user's. */
    lockAll: async (userId: OwnerId, ids: readonly string[]): Promise<string[]> =>
      (await db.select({ id: agents.id }).from(agents).where(ownedWith(userId, { ids })).orderBy(asc(agents.id)).for('update')).map(
        ({ id }) => id,
      ),

    /** Returns those of these agents that stand on a canvas of another project, have a relationship, are in a released team, or were changed since they were made. */
    inUse: async (userId: OwnerId, ids: readonly string[], otherThan: string): Promise<string[]> => {
      const { rows } = await db.execute<{ id: string }>(sql`
        SELECT value->>'serverAgentId' AS id FROM canvas_nodes
          WHERE project_id IN (SELECT id FROM projects WHERE user_id = ${userId} AND id <> ${otherThan}) AND value->>'serverAgentId' = ANY(${sql.param([...ids])}::text[])
        UNION SELECT unnest(ARRAY[source_agent_id, target_agent_id])::text FROM agent_relationships WHERE user_id = ${userId}
        UNION SELECT step.agent_id::text FROM pipeline_steps AS step JOIN pipelines AS one ON one.id = step.pipeline_id
          WHERE one.user_id = ${userId} AND one.is_of_release AND step.agent_id = ANY(${sql.param([...ids])}::uuid[])
        UNION SELECT id::text FROM agents
          WHERE user_id = ${userId} AND id = ANY(${sql.param([...ids])}::uuid[]) AND (updated_at > created_at OR has_tools)`);
      return rows.map(({ id }) => id);
    },

    hasProject: async (userId: OwnerId, projectId: string): Promise<boolean> =>
      (await db.execute(sql`SELECT FROM projects WHERE id = ${projectId} AND user_id = ${userId}`)).rowCount === 1,

    lock: async (userId: OwnerId, id: string): Promise<AgentRow | null> =>
      (await db.select().from(agents).where(owned(userId, id)).for('update'))[0] ?? null,

    update: async (userId: OwnerId, id: string, change: AgentChange): Promise<ServedAgentRow | null> =>
      (
        await db
          .update(agents)
          .set({ ...change, updatedAt: sql`now()` })
          .where(owned(userId, id))
          .returning(served)
      )[0] ?? null,

    updateAll: async (userId: OwnerId, ids: readonly string[], change: AgentChange): Promise<void> => {
      if (ids.length === 0) return;
      await db
        .update(agents)
        .set({ ...change, updatedAt: sql`now()` })
        .where(ownedWith(userId, { ids }));
    },

    removeAll: async (userId: OwnerId, ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await db.delete(agents).where(ownedWith(userId, { ids }));
    },

    remove: async (userId: OwnerId, id: string): Promise<void> => {
      await db.delete(agents).where(owned(userId, id));
    },
  };
}

const modelConfigColumns = [
  ...(['id', 'name', 'title', 'role', 'systemPrompt', 'contextAccessLevel', 'providerType', 'model', 'temperature', 'maxTokens'] as const),
  ...([
    'effort',
    'mayGoWithoutTools',
    'work',
    'connectionId',
    'fallback',
    'baseUrl',
    'folderId',
    'apiKeySealed',
    'apiKeyHost',
    'hasTools',
  ] as const),
];

/** The columns of an agent that its model configuration is made of. */
export type ModelConfigRow = Pick<AgentRow, (typeof modelConfigColumns)[number]> & {
  isOwnerVerified: boolean;
  /** The agent's connections, where they have a row. */
  connection: CallRow | null;
  second: CallRow | null;
};

/**
 * SQL text, alone or inside another statement: one `ModelConfigRow` as JSON for each of these agents. `which` is SQL too. `teamVersionId`: they are as
 * in this version of their team. Their keys are those of now.
 */
export function selectModelConfigs(userId: OwnerId, which: string, place: BindValue, teamVersionId: string | null = null): string {
  const isVerified = 'SELECT email_verified_at IS NOT NULL FROM users WHERE users.id = agents.user_id';
  const connection = connectionOf('agents.connection_id');
  const second = connectionOf("(agents.fallback->>'connectionId')::uuid");
  const from =
    teamVersionId === null
      ? `agents WHERE id IN (${which}) AND user_id = ${place(userId)}`
      : `(${agentsOfVersion(teamVersionId, { userId, which, place })}) AS agents`;
  return `SELECT ${jsonObject(agents, modelConfigColumns, { isOwnerVerified: `(${isVerified})`, connection, second })} AS agent FROM ${from}`;
}

const versionedColumns = modelConfigColumns.filter((key) => !['id', 'apiKeySealed', 'apiKeyHost', 'hasTools'].includes(key));

/**
 * SQL of those of a team version's agents that are still there. Their tools are those that they have ticked. A version is one value of up to megabytes, and
 * PostgreSQL does not know how many agents it has. So the order is fixed here: the value is unpacked once, each agent is looked for in a hash table, and is
 * then read by its id. Unpacked for each agent it took more than 15 s for 3,000.
 */
function agentsOfVersion(versionId: string, { userId, which, place }: { userId: OwnerId; which: string; place: BindValue }): string {
  const columns = getTableColumns(agents);
  const given = versionedColumns.map((key) => ({ key, name: columns[key].name, type: columns[key].getSQLType() }));
  return `WITH kept AS MATERIALIZED (SELECT one.key::uuid AS id, one.value AS agent FROM team_versions AS version, jsonb_each(version.agents) AS one
      WHERE version.id = ${place(versionId)}::uuid AND (one.key::uuid IN (${which})) IS TRUE)
    SELECT own.*, jsonb_array_length(kept.agent->'tools') > 0 AS has_tools, ${given.map(({ key, name }) => `held."${key}" AS ${name}`).join(', ')}
    FROM kept, LATERAL (SELECT id, user_id, api_key_sealed, api_key_host FROM agents WHERE agents.id = kept.id AND user_id = ${place(userId)} OFFSET 0) AS own,
      jsonb_to_record(kept.agent) AS held (${given.map(({ key, type }) => `"${key}" ${type}`).join(', ')})`;
}

/** SQL of the connection with this id as JSON. An agent without one costs no look into the table. */
function connectionOf(id: string): string {
  const found = `SELECT ${jsonObject(connections, callColumns)} FROM connections WHERE connections.id = ${id} AND connections.user_id = agents.user_id`;
  return `CASE WHEN ${id} IS NULL THEN NULL ELSE (${found}) END`;
}

/**
 * Returns SQL of a table expression with one row when the user has all of these agents, and with no row otherwise. None of them can be
 * removed before the transaction ends.
 */
export function lockAgents(userId: OwnerId, ids: readonly string[], place: BindValue): string {
  return `SELECT true AS held FROM (SELECT id FROM agents WHERE id = ANY(${place(ids)}::uuid[]) AND user_id = ${place(userId)} FOR KEY SHARE) AS one
    HAVING count(*) = ${place(ids.length)}`;
}

function ownedWith(userId: OwnerId, { role, specialization, status, minAccessLevel, ids }: AgentFilter) {
  return and(
    eq(agents.userId, userId),
    role === undefined ? undefined : sql`lower(${agents.role}) = lower(${role})`,
    specialization === undefined ? undefined : sql`lower(${agents.specialization}) = lower(${specialization})`,
    status === undefined ? undefined : eq(agents.status, status),
    minAccessLevel === undefined ? undefined : sql`${agents.contextAccessLevel} >= ${minAccessLevel}`,
    ids === undefined ? undefined : inArray(agents.id, [...ids]),
  );
}
