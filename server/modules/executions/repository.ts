import { and, asc, avg, count, countDistinct, desc, eq, gt, inArray, lt, max, sql } from 'drizzle-orm';
import type { Execution, ExecutionDetails, ExecutionEvent, ExecutionStatus } from '../../../contract/execution.ts';
import type { Db } from '../../platform/database/database.ts';
import { type ExecutionRow, toExecution, toStepRun } from './rows.ts';
import { executionContexts, executionEvents, executionSteps, executions } from './tables.ts';

export type NewExecution = typeof executions.$inferInsert;
export type NewStep = typeof executionSteps.$inferInsert;

const unfinished: ExecutionStatus[] = ['pending', 'running', 'paused'];

/** What is read of executions, and how one is first stored. Every change goes through a transition. */
export function executionRepository(db: Db) {
  const one = async (userId: string, id: string): Promise<ExecutionRow | null> => {
    const [row] = await db
      .select()
      .from(executions)
      .where(and(eq(executions.id, id), eq(executions.userId, userId)));
    return row ?? null;
  };

  return {
    async insert(execution: NewExecution, steps: NewStep[]): Promise<Execution> {
      const [row] = await db.insert(executions).values(execution).returning();
      if (!row) throw new Error('The execution was not stored.');
      await db.insert(executionSteps).values(steps);
      return toExecution(row);
    },

    async find(userId: string, id: string): Promise<Execution | null> {
      const row = await one(userId, id);
      return row ? toExecution(row) : null;
    },

    async details(userId: string, id: string): Promise<ExecutionDetails | null> {
      const row = await one(userId, id);
      if (!row) return null;
      const steps = await db
        .select()
        .from(executionSteps)
        .where(eq(executionSteps.executionId, id))
        .orderBy(asc(executionSteps.orderIndex));
      return { ...toExecution(row), steps: steps.map(toStepRun) };
    },

    /** Newest first. */
    async list(
      userId: string,
      filter: { projectId?: string | undefined; status?: ExecutionStatus | undefined; limit: number; offset: number },
    ) {
      const here = and(
        eq(executions.userId, userId),
        filter.projectId === undefined ? undefined : eq(executions.projectId, filter.projectId),
        filter.status === undefined ? undefined : eq(executions.status, filter.status),
      );
      const [all] = await db.select({ total: count() }).from(executions).where(here);
      const rows = await db
        .select()
        .from(executions)
        .where(here)
        .orderBy(desc(executions.createdAt), desc(executions.id))
        .limit(filter.limit)
        .offset(filter.offset);
      return { items: rows.map(toExecution), total: all?.total ?? 0 };
    },

    /** Events after `since` in order, or null when the user has no such execution. */
    async events(userId: string, id: string, since: number, limit: number): Promise<ExecutionEvent[] | null> {
      if (!(await one(userId, id))) return null;
      const rows = await db
        .select({ event: executionEvents.event })
        .from(executionEvents)
        .where(and(eq(executionEvents.executionId, id), gt(executionEvents.seq, since)))
        .orderBy(asc(executionEvents.seq))
        .limit(limit);
      return rows.map(({ event }) => event);
    },

    async projectOf(userId: string, id: string): Promise<string | null> {
      return (await one(userId, id))?.projectId ?? null;
    },

    /** What people added while the execution was under way, in order. */
    async contexts(id: string): Promise<string[]> {
      const rows = await db
        .select({ content: executionContexts.content })
        .from(executionContexts)
        .where(eq(executionContexts.executionId, id))
        .orderBy(asc(executionContexts.position));
      return rows.map(({ content }) => content);
    },

    /** The status of an execution of the pipeline that has not ended, or null. */
    async unfinishedStatus(pipelineId: string): Promise<ExecutionStatus | null> {
      const [row] = await db
        .select({ status: executions.status })
        .from(executions)
        .where(and(eq(executions.pipelineId, pipelineId), inArray(executions.status, unfinished)))
        .limit(1);
      return row?.status ?? null;
    },

    /** The status of an execution in the project that has not ended, or null. */
    async unfinishedStatusIn(projectId: string): Promise<ExecutionStatus | null> {
      const [row] = await db
        .select({ status: executions.status })
        .from(executions)
        .where(and(eq(executions.projectId, projectId), inArray(executions.status, unfinished)))
        .limit(1);
      return row?.status ?? null;
    },

    /** How the executions of a project went; times in ms. */
    async countsOf(projectId: string) {
      const when = (status: ExecutionStatus, value: unknown) => sql`CASE WHEN ${executions.status} = ${status} THEN ${value} END`;
      const atWork = sql`CASE WHEN ${inArray(executions.status, unfinished)} THEN ${executions.pipelineId} END`;
      const [row] = await db
        .select({
          totalExecutions: count(),
          successfulExecutions: count(when('completed', executions.id)),
          failedExecutions: count(when('failed', executions.id)),
          activePipelines: countDistinct(atWork),
          averageExecutionTime: avg(when('completed', executions.activeMs)),
          lastActivity: max(executions.updatedAt),
        })
        .from(executions)
        .where(eq(executions.projectId, projectId));
      if (!row) throw new Error('A count has no row.');
      return { ...row, averageExecutionTime: row.averageExecutionTime === null ? null : Math.round(Number(row.averageExecutionTime)) };
    },

    /** Of those executions, the ones that are still at the given leg of their work. */
    async stillAtWork(legs: Map<string, number>): Promise<Set<string>> {
      const ids = [...legs.keys()];
      if (ids.length === 0) return new Set();
      const rows = await db
        .select({ id: executions.id, leg: executions.leg })
        .from(executions)
        .where(and(inArray(executions.id, ids), eq(executions.status, 'running')));
      return new Set(rows.filter(({ id, leg }) => legs.get(id) === leg).map(({ id }) => id));
    },

    /** Executions that should be at work and have not moved since `before`. */
    async quietSince(before: Date): Promise<{ id: string; leg: number }[]> {
      return db
        .select({ id: executions.id, leg: executions.leg })
        .from(executions)
        .where(and(inArray(executions.status, ['pending', 'running']), lt(executions.updatedAt, before)));
    },
  };
}

export type ExecutionRepository = ReturnType<typeof executionRepository>;
