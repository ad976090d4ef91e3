import type { StepRun } from '../../../contract/executions/execution.ts';

/** A step that has not started, with these changes. */
export function aStep(stepId: string, changes: Partial<StepRun> = {}): StepRun {
  return {
    stepId,
    orderIndex: 0,
    name: stepId,
    agentId: `agent-of-${stepId}`,
    nodeId: `card-of-${stepId}`,
    role: 'Developer',
    status: 'pending',
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
    ...changes,
  };
}

export const usage = (totalTokens: number) => ({ promptTokens: 0, completionTokens: totalTokens, totalTokens });
