import type { StepRun } from '../../../contract/executions/execution.ts';

/** What is known of an execution before it starts. */
export const notStarted = {
  status: 'pending',
  pauseRequested: false,
  progress: 0,
  lastSeq: 0,
  startedAt: null,
  completedAt: null,
  failedAt: null,
  result: null,
  error: null,
} as const;

/** What a step has not done before it begins. */
export const nothingDone = {
  attempts: 0,
  startedAt: null,
  completedAt: null,
  durationMs: null,
  provider: null,
  model: null,
  simulated: false,
  usage: null,
  result: null,
  error: null,
};

type Planned = 'stepId' | 'orderIndex' | 'name' | 'agentId' | 'nodeId' | 'role' | 'kind' | 'pipelineStepId' | 'round';

/** Returns a step before it begins, with what is known of it from its pipeline and its review loop. */
export function pendingStep(step: Pick<StepRun, Planned>): StepRun {
  const { stepId, orderIndex, name, agentId, nodeId, role, kind, pipelineStepId, round } = step;
  return {
    stepId,
    orderIndex,
    name,
    agentId,
    nodeId,
    role,
    ...(kind && { kind }),
    ...(pipelineStepId !== undefined && { pipelineStepId }),
    ...(round !== undefined && { round }),
    status: 'pending',
    ...nothingDone,
  };
}
