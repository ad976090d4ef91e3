import type { Db } from '../../../platform/database/database.ts';
import { and, eq, isNull } from '../../../platform/database/drizzle.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { inPlace } from './rows.ts';
import { executionSteps, executions } from './tables.ts';

/** Names one step of one execution. */
export type StepPlace = { executionId: string; stepId: string };

/** Returns the steps of an agent in an execution, without those of persons, in order; null when the user has no such execution. */
export async function stepsOfAgent(
  db: Db,
  userId: OwnerId,
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
      CASE WHEN s.marks @> '["cut"]'::jsonb THEN 'length' END AS finish, s.provider, s.model, s.simulated, s.usage, s.duration_ms
    FROM execution_steps s JOIN executions e ON e.id = s.execution_id WHERE s.execution_id = ${executionId} AND s.step_id = ${stepId}`;
}

/**
 * SQL of a query of the steps (`s`) of the agents $2 in executions (`e`) of the user $1 that fit: each with its status, that of its execution, its
 * duration and its last activity. A person's step is no agent's.
 */
export const selectStepWork = (fits: string) => `SELECT 'step' AS kind, s.agent_id, s.status, e.status AS whole_status,
    s.duration_ms AS ms, greatest(s.started_at, s.completed_at) AS active_at
  FROM execution_steps s JOIN executions e ON e.id = s.execution_id
  WHERE e.user_id = $1::uuid AND s.agent_id = ANY ($2::uuid[]) AND s.kind IS NULL AND ${fits}`;
