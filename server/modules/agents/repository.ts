import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from './tables.ts';

export type AgentRow = typeof agents.$inferSelect;
export type AgentChange = Partial<Omit<AgentRow, 'id' | 'userId' | 'createdAt' | 'updatedAt'>>;

/** Which agents a list holds; of names, case does not matter. */
export type AgentFilter = Partial<
  Pick<AgentRow, 'role' | 'specialization' | 'status'> & { minAccessLevel: number; ids: readonly string[] }
>;

/** Agents of one connection or transaction. Every query names the owner. */
export function agentRepository(db: Db) {
  const owned = (userId: string, id: string) => and(eq(agents.id, id), eq(agents.userId, userId));
  return {
    list: (userId: string, filter: AgentFilter, limit: number, offset: number): Promise<AgentRow[]> =>
      db.select().from(agents).where(ownedWith(userId, filter)).orderBy(asc(agents.createdAt), asc(agents.id)).limit(limit).offset(offset),

    count: async (userId: string, filter: AgentFilter): Promise<number> =>
      (await db.select({ total: count() }).from(agents).where(ownedWith(userId, filter)))[0]?.total ?? 0,

    find: async (userId: string, id: string): Promise<AgentRow | null> =>
      (await db.select().from(agents).where(owned(userId, id)))[0] ?? null,

    findAll: (userId: string, ids: readonly string[]): Promise<AgentRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : db.select().from(agents).where(ownedWith(userId, { ids })),

    /** As `findAll`; none of them is removed until the transaction ends. */
    holdAll: (userId: string, ids: readonly string[]): Promise<AgentRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : db.select().from(agents).where(ownedWith(userId, { ids })).for('key share'),

    add: (rows: (typeof agents.$inferInsert)[]): Promise<AgentRow[]> => db.insert(agents).values(rows).returning(),

    lock: async (userId: string, id: string): Promise<AgentRow | null> =>
      (await db.select().from(agents).where(owned(userId, id)).for('update'))[0] ?? null,

    update: async (userId: string, id: string, change: AgentChange): Promise<AgentRow | null> =>
      (
        await db
          .update(agents)
          .set({ ...change, updatedAt: sql`now()` })
          .where(owned(userId, id))
          .returning()
      )[0] ?? null,

    remove: async (userId: string, id: string): Promise<void> => {
      await db.delete(agents).where(owned(userId, id));
    },
  };
}

/** One agent of its owner: asked for by every command, so PostgreSQL and the query builder prepare it once. */
export function ownedAgent(db: Db): (userId: string, id: string) => Promise<AgentRow | null> {
  const query = db
    .select()
    .from(agents)
    .where(and(eq(agents.id, sql.placeholder('id')), eq(agents.userId, sql.placeholder('userId'))))
    .prepare('owned_agent');
  return async (userId, id) => (await query.execute({ userId, id }))[0] ?? null;
}

function ownedWith(userId: string, { role, specialization, status, minAccessLevel, ids }: AgentFilter) {
  return and(
    eq(agents.userId, userId),
    role === undefined ? undefined : sql`lower(${agents.role}) = lower(${role})`,
    specialization === undefined ? undefined : sql`lower(${agents.specialization}) = lower(${specialization})`,
    status === undefined ? undefined : eq(agents.status, status),
    minAccessLevel === undefined ? undefined : sql`${agents.contextAccessLevel} >= ${minAccessLevel}`,
    ids === undefined ? undefined : inArray(agents.id, [...ids]),
  );
}
