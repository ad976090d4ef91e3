import type { ExecutionStatus, StepStatus } from '../../../../contract/executions/execution.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, count, eq, inArray, isNull, max, sql, sum } from '../../../platform/database/drizzle.ts';
import type { AgentWork } from '../../agents/index.ts';
import { executionSteps, executions } from './tables.ts';

const unfinished: ExecutionStatus[] = ['pending', 'running', 'paused'];
/** A step that has not begun is not counted as an agent's work. */
const begun: StepStatus[] = ['running', 'completed', 'failed', 'cancelled'];

/** Counts agents' work in runs: each begun step once, also after several attempts. A person's step is no agent's. */
export function workInRuns(db: Db): AgentWork {
  const stepsOf = (userId: string, agentIds: readonly string[]) =>
    and(inArray(executionSteps.agentId, [...agentIds]), eq(executions.userId, userId), isNull(executionSteps.kind));
  const itsRun = eq(executions.id, executionSteps.executionId);

  return {
    async count(userId, agentId) {
      const when = (status: StepStatus, value: unknown) => sql<number>`CASE WHEN ${executionSteps.status} = ${status} THEN ${value} END`;
      const [row] = await db
        .select({
          total: count(),
          successful: count(when('completed', executionSteps.stepId)),
          failed: count(when('failed', executionSteps.stepId)),
          successfulMs: sum(when('completed', executionSteps.durationMs)),
          begunAt: max(executionSteps.startedAt),
          endedAt: max(executionSteps.completedAt),
        })
        .from(executionSteps)
        .innerJoin(executions, itsRun)
        .where(and(stepsOf(userId, [agentId]), inArray(executionSteps.status, begun)));
      if (!row) throw new Error('A count has no row.');
      const { successfulMs, begunAt, endedAt, ...counts } = row;
      const moments = [begunAt, endedAt].flatMap((at) => (at === null ? [] : [at.getTime()]));
      const lastActivity = moments.length === 0 ? null : new Date(Math.max(...moments));
      return { ...counts, successfulMs: Number(successfulMs ?? 0), lastActivity };
    },

    /** Every step of an unfinished run counts, also a completed one. */
    async unfinishedStatus(tx, userId, agentId) {
      const [row] = await tx
        .select({ status: executions.status })
        .from(executionSteps)
        .innerJoin(executions, itsRun)
        .where(and(stepsOf(userId, [agentId]), inArray(executions.status, unfinished)))
        .limit(1);
      return row?.status ?? null;
    },

    async atWork(userId, agentIds) {
      if (agentIds.length === 0) return [];
      const now = and(eq(executions.status, 'running'), eq(executionSteps.status, 'running'));
      const rows = await db
        .selectDistinct({ agentId: executionSteps.agentId })
        .from(executionSteps)
        .innerJoin(executions, itsRun)
        .where(and(stepsOf(userId, agentIds), now));
      return rows.map(({ agentId }) => agentId);
    },
  };
}
