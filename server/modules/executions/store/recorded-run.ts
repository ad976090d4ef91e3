import { stepMarks } from '../../../../contract/executions/step-mark.ts';
import { addCosts } from '../../../../rules/cost/cost-of.ts';
import { hasResult, stepCount } from '../../../../rules/run-graph/step-count.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { type RecordedRun, type RunOutcome, resultTexts } from '../../results/index.ts';
import type { ExecutionRepository } from './repository.ts';
import { type ExecutionRow, finalAnswer, type StepRow } from './rows.ts';
import { sumUsage } from './sum-usage.ts';

/** Returns the history's data of a run. */
export function recordedRun(
  row: Pick<ExecutionRow, 'id' | 'userId' | 'projectId' | 'pipelineId' | 'initialTask' | 'dialogNodeId' | 'source' | 'language'>,
  steps: readonly Pick<StepRow, 'agentId' | 'agentTitle'>[],
): RecordedRun {
  return {
    executionId: row.id,
    userId: row.userId,
    projectId: row.projectId,
    pipelineId: row.pipelineId,
    userRequest: row.initialTask,
    fromDialog: row.dialogNodeId !== null,
    source: row.source,
    language: row.language,
    agents: steps.map(({ agentId, agentTitle }) => ({ serverAgentId: agentId, title: agentTitle })),
  };
}

/** Returns the history's data of an ended run; null for an active one. */
export function recordedOutcome(row: ExecutionRow, steps: StepRow[]): RunOutcome | null {
  const { status } = row;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return null;
  const count = stepCount(steps);
  const words = {
    completed: finalAnswer(row, steps),
    failed: row.error?.message,
    cancelled: resultTexts(row.language).stopped(count.done, count.total),
  };
  return {
    status,
    finalResult: words[status] ?? '',
    completedAt: row.completedAt ?? row.failedAt ?? row.updatedAt,
    executionTimeMs: row.activeMs,
    tokenUsage: sumUsage(steps),
    stepsCount: count.total,
    cost: addCosts(steps.map(({ cost }) => cost)),
    limited: row.limited,
    simulated: steps.some(({ simulated }) => simulated),
    marks: stepMarks.filter((mark) => steps.some(({ marks, status }) => hasResult(status) && marks?.includes(mark))),
  };
}

/** Returns the same for a user's own execution; null for an unknown one. Throws `illegal_state` before its start. */
export function recordedOf(repository: Pick<ExecutionRepository, 'whole'>) {
  return async (userId: OwnerId, id: string): Promise<{ run: RecordedRun; outcome: RunOutcome | null } | null> => {
    const found = await repository.whole(userId, id);
    if (!found) return null;
    const { row, steps } = found;
    if (row.notStarted && row.status === 'pending') throw new ApiError('illegal_state', { details: { status: row.status } });
    return { run: recordedRun(row, steps), outcome: recordedOutcome(row, steps) };
  };
}
