import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, getTableColumns, isNull, or, sql } from '../../platform/database/drizzle.ts';
import { ownedRows } from '../../platform/database/owned-rows.ts';
import type { ListedModel } from '../../platform/model-lists/listed-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { connections } from './tables.ts';

/** A connection without its list of models, which may be long. */
export type ConnectionRow = Omit<typeof connections.$inferSelect, 'models'> & { modelCount: number | null };
type UsedModel = Pick<ConnectionRow, 'provider' | 'address'> & { listed: ListedModel };
type ConnectionChange = Partial<Omit<typeof connections.$inferInsert, 'id' | 'userId'>>;

const { models: list, ...columns } = getTableColumns(connections);
const shown = { ...columns, modelCount: sql<number | null>`jsonb_array_length(${list})` };
const order = [asc(connections.createdAt), asc(connections.id)];
const own = ownedRows(connections, { owner: connections.userId, order, columns: shown });

/** The names of the models of a connection that agents use as their first or second one. */
const usedNames = (userId: OwnerId, id: string) => sql`SELECT model FROM agents WHERE user_id = ${userId} AND connection_id = ${id}
  UNION SELECT fallback->>'model' FROM agents WHERE user_id = ${userId} AND fallback->>'connectionId' = ${id}::text`;

/** Connections of one account. Every query names the owner. */
export function connectionRepository(db: Db) {
  const owned = (userId: OwnerId, id: string) => and(eq(connections.id, id), eq(connections.userId, userId));
  return {
    /** Those of the account, and of a project when it is named; without a name, of all projects. */
    list: (userId: OwnerId, projectId: string | null): Promise<ConnectionRow[]> =>
      own.list(db, userId, projectId === null ? undefined : or(isNull(connections.projectId), eq(connections.projectId, projectId))),

    /** Counts them. No other transaction does so until this one ends. */
    countAlone: (userId: OwnerId): Promise<number> => own.countAlone(db, userId),

    find: (userId: OwnerId, id: string): Promise<ConnectionRow | null> => own.find(db, userId, id),

    /** Like `find`, and locks the connection until the transaction ends. */
    lock: (userId: OwnerId, id: string): Promise<ConnectionRow | null> => own.lock(db, userId, id),

    /** Returns the names of those of these connections that the account has. They stay until the transaction ends. */
    hold: (userId: OwnerId, ids: readonly string[]): Promise<{ id: string; defaultModel: string | null }[]> =>
      db
        .select({ id: connections.id, defaultModel: connections.defaultModel })
        .from(connections)
        .where(and(eq(connections.userId, userId), sql`${connections.id} = ANY(${sql.param([...ids])}::uuid[])`))
        .for('key share'),

    add: async (row: typeof connections.$inferInsert): Promise<ConnectionRow> => {
      const [stored] = await db.insert(connections).values(row).returning(columns);
      if (!stored) throw new Error('The connection was not stored.');
      return { ...stored, modelCount: null };
    },

    update: (userId: OwnerId, id: string, change: ConnectionChange): Promise<ConnectionRow | null> =>
      own.update(db, userId, id, { ...change, updatedAt: sql`now()` }),

    /** Stores what a server has said, unless the connection leads to another server, or to it with another key or other headers, by now. */
    storeAnswer: async (row: ConnectionRow, change: ConnectionChange): Promise<void> => {
      const isSame = and(
        sql`${connections.address} IS NOT DISTINCT FROM ${row.address}`,
        sql`${connections.keySealed} IS NOT DISTINCT FROM ${row.keySealed}`,
        sql`${connections.headersSealed} IS NOT DISTINCT FROM ${row.headersSealed}`,
      );
      await db
        .update(connections)
        .set(change)
        .where(and(eq(connections.id, row.id), isSame));
    },

    models: async (userId: OwnerId, id: string) =>
      (await db.select({ models: connections.models }).from(connections).where(owned(userId, id)))[0]?.models ?? [],

    /** The listed models of a connection that agents of the account use as their first or second one. */
    usedModels: async (userId: OwnerId, id: string): Promise<UsedModel[]> => {
      const { rows } = await db.execute<UsedModel>(sql`
        SELECT DISTINCT provider, address, listed FROM connections, jsonb_array_elements(models) AS listed
        WHERE id = ${id} AND user_id = ${userId} AND listed->>'id' IN (${usedNames(userId, id)})`);
      return rows;
    },

    /** Keeps what the list tells of the prices of models that agents use. Those of earlier ones stay: versions of teams have them. */
    keepToldPrices: async (userId: OwnerId, id: string): Promise<void> => {
      await db.execute(sql`
        UPDATE connections SET told_prices = (SELECT jsonb_object_agg(listed->>'id', listed->'price') FROM jsonb_array_elements(models) AS listed
          WHERE listed->'price' IS NOT NULL AND (coalesce(told_prices, '{}') ? (listed->>'id') OR listed->>'id' IN (${usedNames(userId, id)})))
        WHERE id = ${id} AND user_id = ${userId} AND (models IS NOT NULL OR told_prices IS NOT NULL)`);
    },

    remove: (userId: OwnerId, id: string): Promise<boolean> => own.remove(db, userId, id),

    /** Whether the account has confirmed its email address. */
    isVerified: async (userId: OwnerId): Promise<boolean> => {
      const { rows } = await db.execute<{ verified: boolean }>(
        sql`SELECT email_verified_at IS NOT NULL AS verified FROM users WHERE id = ${userId}`,
      );
      return rows[0]?.verified ?? false;
    },

    /** How many agents of the account use each connection, as their first or their second one. */
    uses: async (userId: OwnerId): Promise<Map<string, number>> => {
      const { rows } = await db.execute<{ id: string; agents: number }>(sql`
        SELECT id, count(DISTINCT agent)::int AS agents FROM (
          SELECT connection_id AS id, agents.id AS agent FROM agents WHERE user_id = ${userId} AND connection_id IS NOT NULL
          UNION ALL SELECT (fallback->>'connectionId')::uuid, agents.id FROM agents WHERE user_id = ${userId} AND fallback IS NOT NULL
        ) AS used GROUP BY id`);
      return new Map(rows.map(({ id, agents }) => [id, agents]));
    },
  };
}
