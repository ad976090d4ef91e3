import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, sql } from '../../platform/database/drizzle.ts';
import { readPage } from '../../platform/database/owned-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { agentThoughts } from './tables.ts';

export type ThoughtRow = typeof agentThoughts.$inferSelect;

/** The filter of thoughts: always one user's, of one agent or in one project where given. */
export type ThoughtFilter = { agentId?: string; projectId?: string };

const removedAtOnce = 1_000;

/** Removes thoughts from before a moment that belong to no run, one batch: those of a run go with it. Returns whether there may be more. */
export async function removeOldThoughts(db: Db, before: Date): Promise<boolean> {
  const { rowCount } = await db.execute(sql`DELETE FROM agent_thoughts WHERE id IN
    (SELECT id FROM agent_thoughts WHERE execution_id IS NULL AND created_at < ${before} LIMIT ${removedAtOnce})`);
  return rowCount === removedAtOnce;
}

/** Thoughts of one connection or transaction. Every query names the owner. */
export function thoughtRepository(db: Db) {
  const within = (userId: OwnerId, { agentId, projectId }: ThoughtFilter) =>
    and(
      eq(agentThoughts.userId, userId),
      agentId === undefined ? undefined : eq(agentThoughts.agentId, agentId),
      projectId === undefined ? undefined : eq(agentThoughts.projectId, projectId),
    );
  return {
    add: async (row: ThoughtRow): Promise<void> => {
      await db.insert(agentThoughts).values(row);
    },

    /** Newest first. */
    list: (userId: OwnerId, filter: ThoughtFilter, page: { limit: number; offset: number }) => {
      const newest = [desc(agentThoughts.createdAt), desc(agentThoughts.id)];
      return readPage(db, { table: agentThoughts, where: within(userId, filter), order: newest }, page);
    },

    /** Returns the thoughts after one of the user's thoughts, oldest first; none after an unknown one. */
    after: (userId: OwnerId, filter: ThoughtFilter, lastId: string, limit: number): Promise<ThoughtRow[]> =>
      db
        .select()
        .from(agentThoughts)
        .where(
          and(
            within(userId, filter),
            sql`(${agentThoughts.createdAt}, ${agentThoughts.id}) >
              (SELECT last.created_at, last.id FROM agent_thoughts AS last WHERE last.id = ${lastId} AND last.user_id = ${userId})`,
          ),
        )
        .orderBy(asc(agentThoughts.createdAt), asc(agentThoughts.id))
        .limit(limit),
  };
}
