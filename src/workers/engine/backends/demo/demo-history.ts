import type { ResultItem } from '../../../../../contract/executions/result.ts';
import { resultStatus, resultType } from '../../../../../contract/executions/result-kinds.ts';
import { stepCount } from '../../../../../rules/run-graph/step-count.ts';
import type { DemoRun } from './demo-run.ts';
import { demoUserId } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

const hourMs = 3_600_000;

const endings = {
  completed: { type: resultType.success, status: resultStatus.completed },
  cancelled: { type: resultType.failure, status: resultStatus.cancelled },
  processing: { type: resultType.processing, status: resultStatus.processing },
};

/** Returns the runs of this visit and those before it, newest first. `summary`: of a run of this visit that has ended. */
export function demoHistory(
  runs: readonly DemoRun[],
  texts: DemoTexts,
  { projectId, openedAt, summary }: { projectId: string; openedAt: string; summary: string },
): ResultItem[] {
  const shared = { projectId, userId: demoUserId, tags: 'pipeline' };
  const before = texts.history.map(({ request, result, summary, agents, hoursAgo }, index): ResultItem => {
    const at = new Date(Date.parse(openedAt) - Number(hoursAgo) * hourMs).toISOString();
    return {
      ...shared,
      ...endings.completed,
      id: `demo-result-${index}`,
      pipelineExecutionId: '',
      userRequest: request,
      finalResult: result,
      summary,
      metadata: JSON.stringify({ simulated: true }),
      agentsCount: Number(agents),
      stepsCount: Number(agents),
      createdAt: at,
      updatedAt: at,
    };
  });
  const ofVisit = runs.map(({ execution, steps }): ResultItem => {
    const { id, status, startedAt, completedAt, initialTask, createdAt, updatedAt, parentId, forkedAt } = execution;
    const executionTime = startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;
    return {
      ...shared,
      ...endings[status === 'completed' || status === 'cancelled' ? status : 'processing'],
      id: `demo-result-${id}`,
      pipelineExecutionId: id,
      userRequest: initialTask,
      finalResult: execution.result ?? '',
      summary: status === 'completed' ? summary : '',
      metadata: JSON.stringify({ executionId: id, executionTime, simulated: true }),
      agentsCount: new Set(steps.map(({ agentId }) => agentId)).size,
      stepsCount: stepCount(steps).total,
      createdAt,
      updatedAt,
      ...(parentId && forkedAt && { parentExecutionId: parentId, forkedAt }),
    };
  });
  return [...ofVisit.toReversed(), ...before];
}
