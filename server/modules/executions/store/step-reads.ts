import type { Failure } from '../../../../contract/errors.ts';
import type { ExecutionStatus, StepRun } from '../../../../contract/executions/execution.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, count, eq, inArray, isNull } from '../../../platform/database/drizzle.ts';
import { inPlace, toStepRun } from './rows.ts';
import { executionSteps, executions } from './tables.ts';

/** Names one step of one execution. */
export type StepPlace = { executionId: string; stepId: string };
export type StepWithExecution = { execution: { status: ExecutionStatus; error: Failure | null }; step: StepRun };

/** Reads the states of steps, for commands that wait for them. */
export function createStepReads(db: Db) {
  const itsExecution = eq(executions.id, executionSteps.executionId);
  return {
    /** Returns the steps of an agent in an execution, without those of persons, in order; null when the user has no such execution. */
    async stepsOf(userId: string, executionId: string, agentId: string): Promise<{ stepId: string; nodeId: string | null }[] | null> {
      const here = and(eq(executions.id, executionId), eq(executions.userId, userId));
      const [known] = await db.select({ id: executions.id }).from(executions).where(here);
      if (!known) return null;
      return db
        .select({ stepId: executionSteps.stepId, nodeId: executionSteps.nodeId })
        .from(executionSteps)
        .where(and(eq(executionSteps.executionId, executionId), eq(executionSteps.agentId, agentId), isNull(executionSteps.kind)))
        .orderBy(...inPlace);
    },

    /** Returns the current state of each step by `placeKey`. Removed steps are missing. */
    async readSteps(places: readonly StepPlace[]): Promise<Map<string, StepWithExecution>> {
      if (places.length === 0) return new Map();
      const rows = await db
        .select({ status: executions.status, error: executions.error, step: executionSteps })
        .from(executionSteps)
        .innerJoin(executions, itsExecution)
        .where(
          and(
            inArray(executionSteps.executionId, [...new Set(places.map(({ executionId }) => executionId))]),
            inArray(executionSteps.stepId, [...new Set(places.map(({ stepId }) => stepId))]),
          ),
        );
      return new Map(rows.map(({ status, error, step }) => [placeKey(step), { execution: { status, error }, step: toStepRun(step) }]));
    },
  };
}

export type StepReads = ReturnType<typeof createStepReads>;

export function placeKey({ executionId, stepId }: StepPlace): string {
  return `${executionId}:${stepId}`;
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
