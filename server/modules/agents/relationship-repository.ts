import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, inArray, or } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { agentRelationships } from './tables.ts';

type RelationshipRow = typeof agentRelationships.$inferSelect;

/** Relationships of one connection or transaction. Every query names the owner. */
export function relationshipRepository(db: Db) {
  const touching = (userId: OwnerId, agentId: string) =>
    and(
      eq(agentRelationships.userId, userId),
      or(eq(agentRelationships.sourceAgentId, agentId), eq(agentRelationships.targetAgentId, agentId)),
    );
  return {
    /** Returns the relationships from and to an agent, oldest first; all of them without a page. */
    list: (userId: OwnerId, agentId: string, page?: { limit: number; offset: number }): Promise<RelationshipRow[]> => {
      const all = db
        .select()
        .from(agentRelationships)
        .where(touching(userId, agentId))
        .orderBy(asc(agentRelationships.createdAt), asc(agentRelationships.id));
      return page === undefined ? all : all.limit(page.limit).offset(page.offset);
    },

    count: async (userId: OwnerId, agentId: string): Promise<number> =>
      (await db.select({ total: count() }).from(agentRelationships).where(touching(userId, agentId)))[0]?.total ?? 0,

    /** Null when the relationship exists already. */
    add: async (row: typeof agentRelationships.$inferInsert): Promise<RelationshipRow | null> =>
      (await db.insert(agentRelationships).values(row).onConflictDoNothing().returning())[0] ?? null,

    /** False when the owner has no such relationship. */
    remove: async (userId: OwnerId, id: string): Promise<boolean> => {
      const own = and(eq(agentRelationships.id, id), eq(agentRelationships.userId, userId));
      return (await db.delete(agentRelationships).where(own).returning({ id: agentRelationships.id })).length > 0;
    },

    /** Locks both rows in one order first, since two relationships in opposite directions may be removed at the same moment. */
    removeOf: async (userId: OwnerId, agentId: string): Promise<void> => {
      const locked = await db
        .select({ id: agentRelationships.id })
        .from(agentRelationships)
        .where(touching(userId, agentId))
        .orderBy(asc(agentRelationships.id))
        .for('update');
      if (locked.length === 0) return;
      const ids = locked.map(({ id }) => id);
      await db.delete(agentRelationships).where(inArray(agentRelationships.id, ids));
    },
  };
}
