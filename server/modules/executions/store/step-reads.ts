import type { Db } from '../../../platform/database/database.ts';
import { and, count, eq, isNull } from '../../../platform/database/drizzle.ts';
import { inPlace } from './rows.ts';
import { executionSteps, executions } from './tables.ts';

/** Names one step of one execution. */
export type StepPlace = { executionId: string; stepId: string };

/** Returns the steps of an agent in an execution, without those of persons, in order; null when the user has no such execution. */
export async function stepsOfAgent(
  db: Db,
  userId: string,
  executionId: string,
  agentId: string,
): Promise<{ stepId: string; nodeId: string | null }[] | null> {
  const here = and(eq(executions.id, executionId), eq(executions.userId, userId));
  const [known] = await db.select({ id: executions.id }).from(executions).where(here);
  if (!known) return null;
  return db
    .select({ stepId: executionSteps.stepId, nodeId: executionSteps.nodeId })
    .from(executionSteps)
    .where(and(eq(executionSteps.executionId, executionId), eq(executionSteps.agentId, agentId), isNull(executionSteps.kind)))
    .orderBy(...inPlace);
}

/**
 * SQL of a query of how a step stands, for those that wait for it: no row for a removed one. A step that will not run any more fails with its
 * execution's failure, or is cancelled with it.
 */
export function outcomeOfStep(executionId: string, stepId: string): string {
  const status = `CASE WHEN s.status IN ('completed', 'reused') THEN 'completed'
    WHEN s.status IN ('cancelled', 'skipped') THEN 'cancelled'
    WHEN s.status = 'failed' OR e.status = 'failed' THEN 'failed'
    WHEN e.status IN ('cancelled', 'completed') THEN 'cancelled'
    WHEN s.status = 'pending' THEN 'pending' ELSE 'running' END`;
  return `SELECT ${status} AS status, CASE ${status} WHEN 'completed' THEN s.result END AS result,
      CASE ${status} WHEN 'failed' THEN CASE s.status WHEN 'failed' THEN s.error ELSE e.error END END AS error,
      s.provider, s.model, s.simulated, s.usage, s.duration_ms
    FROM execution_steps s JOIN executions e ON e.id = s.execution_id WHERE s.execution_id = ${executionId} AND s.step_id = ${stepId}`;
}

/** Counts the running steps of an agent in the user's executions. */
export async function countRunningSteps(db: Db, userId: string, agentId: string): Promise<number> {
  const [row] = await db
    .select({ many: count() })
    .from(executionSteps)
    .innerJoin(executions, eq(executions.id, executionSteps.executionId))
    .where(
      and(
        ...[eq(executions.userId, userId), eq(executions.status, 'running')],
        ...[eq(executionSteps.agentId, agentId), eq(executionSteps.status, 'running')],
      ),
    );
  return row?.many ?? 0;
}
