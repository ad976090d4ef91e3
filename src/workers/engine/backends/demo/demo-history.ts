import type { ResultItem } from '../../../../../contract/executions/result.ts';
import { resultStatus, resultType } from '../../../../../contract/executions/result-kinds.ts';
import { stepCount } from '../../../../../rules/run-graph/step-count.ts';
import type { DemoRun } from './demo-run.ts';
import { demoUserId } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

const hourMs = 3_600_000;

/** Returns the runs of this visit and those before it, newest first. `summary`: of a run of this visit that has ended. */
export function demoHistory(
  runs: readonly DemoRun[],
  texts: DemoTexts,
  { projectId, openedAt, summary }: { projectId: string; openedAt: number; summary: string },
): ResultItem[] {
  const before = texts.history.map(({ request, result, summary, agents, hoursAgo }, index): ResultItem => {
    const at = new Date(openedAt - Number(hoursAgo) * hourMs).toISOString();
    return {
      id: `demo-result-${index}`,
      projectId,
      pipelineExecutionId: '',
      userId: demoUserId,
      userRequest: request,
      finalResult: result,
      summary,
      type: resultType.success,
      status: resultStatus.completed,
      metadata: JSON.stringify({ simulated: true }),
      tags: 'pipeline',
      agentsCount: Number(agents),
      stepsCount: Number(agents),
      createdAt: at,
      updatedAt: at,
    };
  });
  return [...runs.map((run) => itemOf(run, summary)).toReversed(), ...before];
}

function itemOf({ execution, steps }: DemoRun, summary: string): ResultItem {
  const { id, projectId, status, startedAt, completedAt, initialTask, createdAt, updatedAt } = execution;
  const ended = status === 'completed' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'processing';
  const executionTime = startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;
  return {
    id: `demo-result-${id}`,
    projectId,
    pipelineExecutionId: id,
    userId: demoUserId,
    userRequest: initialTask,
    finalResult: execution.result ?? '',
    summary: ended === 'completed' ? summary : '',
    type: ended === 'completed' ? resultType.success : ended === 'cancelled' ? resultType.failure : resultType.processing,
    status: resultStatus[ended],
    metadata: JSON.stringify({ executionId: id, executionTime, simulated: true }),
    tags: 'pipeline',
    agentsCount: new Set(steps.map(({ agentId }) => agentId)).size,
    stepsCount: stepCount(steps).total,
    createdAt,
    updatedAt,
    ...(execution.parentId && execution.forkedAt && { parentExecutionId: execution.parentId, forkedAt: execution.forkedAt }),
  };
}
