import { and, count, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { ResultItem } from '../../../contract/result.ts';
import type { Db } from '../../platform/database/database.ts';
import { results } from './tables.ts';

export type ResultRow = typeof results.$inferSelect;
export type NewResult = typeof results.$inferInsert;

/** History items as their owner sees them. */
export function resultRepository(db: Db) {
  const ofOwner = (userId: string) => and(eq(results.userId, userId), isNull(results.removedAt));
  return {
    async list(userId: string, projectId: string, limit: number, offset: number): Promise<{ items: ResultItem[]; total: number }> {
      const here = and(ofOwner(userId), eq(results.projectId, projectId));
      const [all] = await db.select({ total: count() }).from(results).where(here);
      const rows = await db
        .select()
        .from(results)
        .where(here)
        .orderBy(desc(results.createdAt), desc(results.id))
        .limit(limit)
        .offset(offset);
      return { items: rows.map(toResultItem), total: all?.total ?? 0 };
    },

    async find(userId: string, id: string): Promise<ResultItem | null> {
      const [row] = await db
        .select()
        .from(results)
        .where(and(eq(results.id, id), ofOwner(userId)));
      return row ? toResultItem(row) : null;
    },

    /** The item of an execution, removed or not, locked until the transaction ends. */
    async lockByExecution(executionId: string): Promise<ResultRow | null> {
      const [row] = await db.select().from(results).where(eq(results.pipelineExecutionId, executionId)).for('update');
      return row ?? null;
    },

    /** Stores a first item for an execution. Null when another writer was first. */
    async insert(item: NewResult): Promise<ResultRow | null> {
      const [row] = await db.insert(results).values(item).onConflictDoNothing({ target: results.pipelineExecutionId }).returning();
      return row ?? null;
    },

    async update(id: string, change: Partial<NewResult>): Promise<ResultRow> {
      const [row] = await db
        .update(results)
        .set({ ...change, updatedAt: new Date() })
        .where(eq(results.id, id))
        .returning();
      if (!row) throw new Error('The history item was not stored.');
      return row;
    },

    async remove(userId: string, id: string): Promise<boolean> {
      const removed = await db
        .update(results)
        .set({ removedAt: new Date(), updatedAt: new Date() })
        .where(and(eq(results.id, id), ofOwner(userId)))
        .returning({ id: results.id });
      return removed.length > 0;
    },
  };
}

/**
 * Writes the finished item of a run when `changed` has a row. Of an item that is there already, what people wrote about it stays, and
 * `added` goes over its metadata.
 */
export function completion(item: Required<Omit<NewResult, 'removedAt'>>, added: string, changed: SQL): SQL {
  return sql`INSERT INTO ${results} (id, user_id, project_id, pipeline_execution_id, user_request, final_result, summary, type, status,
      metadata, tags, agents_count, steps_count, created_at, updated_at)
    SELECT ${item.id}::uuid, ${item.userId}::uuid, ${item.projectId}::uuid, ${item.pipelineExecutionId}::uuid, ${item.userRequest}::text,
      ${item.finalResult}::text, ${item.summary}::text, ${item.type}::smallint, ${item.status}::smallint, ${item.metadata}::text,
      ${item.tags}::text, ${item.agentsCount}::integer, ${item.stepsCount}::integer, ${item.createdAt.toISOString()}::timestamptz,
      ${item.updatedAt.toISOString()}::timestamptz
    FROM ${changed}
    ON CONFLICT (pipeline_execution_id) DO UPDATE SET final_result = excluded.final_result, type = excluded.type, status = excluded.status,
      metadata = (results.metadata::jsonb || ${added}::jsonb)::text, updated_at = excluded.updated_at`;
}

export function toResultItem(row: ResultRow): ResultItem {
  const { removedAt: _removedAt, createdAt, updatedAt, ...item } = row;
  return { ...item, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
