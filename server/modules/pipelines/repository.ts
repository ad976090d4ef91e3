import { and, asc, count, desc, eq, inArray, ne } from 'drizzle-orm';
import type { Pipeline } from '../../../contract/pipeline.ts';
import type { Db } from '../../platform/database/database.ts';
import { pipelineSteps, pipelines } from './tables.ts';

export type NewPipeline = Omit<Pipeline, 'createdAt' | 'updatedAt'> & { userId: string };

/** Pipelines as their owner sees them: archived ones and other people's are not there. */
export function pipelineRepository(db: Db) {
  const visible = (userId: string) => and(eq(pipelines.userId, userId), ne(pipelines.status, 'archived'));

  const withSteps = async (rows: (typeof pipelines.$inferSelect)[]): Promise<Pipeline[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const steps = await db
      .select()
      .from(pipelineSteps)
      .where(inArray(pipelineSteps.pipelineId, ids))
      .orderBy(asc(pipelineSteps.orderIndex));
    return rows.map((row) =>
      toPipeline(
        row,
        steps.filter(({ pipelineId }) => pipelineId === row.id),
      ),
    );
  };

  return {
    async list(userId: string, limit: number, offset: number): Promise<{ items: Pipeline[]; total: number }> {
      const [all] = await db.select({ total: count() }).from(pipelines).where(visible(userId));
      const rows = await db
        .select()
        .from(pipelines)
        .where(visible(userId))
        .orderBy(desc(pipelines.createdAt), desc(pipelines.id))
        .limit(limit)
        .offset(offset);
      return { items: await withSteps(rows), total: all?.total ?? 0 };
    },

    /** How many pipelines of a project are not archived. */
    async countIn(projectId: string): Promise<number> {
      const here = and(eq(pipelines.projectId, projectId), ne(pipelines.status, 'archived'));
      return (await db.select({ total: count() }).from(pipelines).where(here))[0]?.total ?? 0;
    },

    async find(userId: string, id: string): Promise<Pipeline | null> {
      const rows = await db
        .select()
        .from(pipelines)
        .where(and(eq(pipelines.id, id), visible(userId)));
      return (await withSteps(rows))[0] ?? null;
    },

    /** Stores a pipeline with its steps, in the caller's transaction. */
    async add(pipeline: NewPipeline): Promise<Pipeline> {
      const { steps, ...row } = pipeline;
      const [saved] = await db.insert(pipelines).values(row).returning();
      if (!saved) throw new Error('The pipeline was not stored.');
      const stored = await db
        .insert(pipelineSteps)
        .values(steps.map(({ type: _type, ...step }) => ({ ...step, pipelineId: row.id })))
        .returning();
      return toPipeline(
        saved,
        stored.sort((one, other) => one.orderIndex - other.orderIndex),
      );
    },

    /** Hides a pipeline and keeps what it left. False when the owner has no such pipeline. */
    async archive(userId: string, id: string): Promise<boolean> {
      const archived = await db
        .update(pipelines)
        .set({ status: 'archived', updatedAt: new Date() })
        .where(and(eq(pipelines.id, id), visible(userId)))
        .returning({ id: pipelines.id });
      return archived.length > 0;
    },
  };
}

function toPipeline(row: typeof pipelines.$inferSelect, steps: (typeof pipelineSteps.$inferSelect)[]): Pipeline {
  const { userId: _userId, createdAt, updatedAt, ...pipeline } = row;
  return {
    ...pipeline,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    steps: steps.map(({ pipelineId: _pipelineId, ...step }) => ({ ...step, type: 1 })),
  };
}
