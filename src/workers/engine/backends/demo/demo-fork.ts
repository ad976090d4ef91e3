import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { Fork, ForkReason, ForkRequest, ForkState } from '../../../../../contract/executions/fork.ts';
import type { DemoRun } from './demo-run.ts';

/** Where a fork of a run of the script begins: the steps that it has, and how many moves of the script are kept. */
export type DemoForkStart = { steps: StepRun[]; kept: number };

/** The fork of an ended run from one of its steps; null for a request that the script cannot follow, such as one with an edited result. */
export function demoForkStart({ execution, steps, begun, addedBy }: DemoRun, request: ForkRequest): DemoForkStart | null {
  const { from, edits = [], graph = 'then', model, onlyStep = false } = request;
  const kept = begun.findIndex(({ stepId }) => stepId === from?.stepId);
  if (kept < 0 || edits.length > 0 || graph === 'now' || model || onlyStep) return null;
  const before = new Set(begun.slice(0, kept));
  const forked = steps
    // A round that a step which runs again had begun is not there yet.
    .filter((step) => (addedBy.get(step.stepId) ?? 0) <= kept)
    .map((step): StepRun => (before.has(step) ? keptStep(step, execution.id) : stepAgain(step)));
  return { steps: forked, kept };
}

/** What a fork from a step would keep and run again. */
export function demoForkPreview(run: DemoRun, request: ForkRequest): Fork | null {
  const start = demoForkStart(run, request);
  if (!start) return null;
  const steps = start.steps.map(({ stepId, nodeId, name, round = 0, status }) => {
    const isKept = status === 'reused';
    const { kind, usage } = run.steps.find((step) => step.stepId === stepId) ?? {};
    const used = usage?.totalTokens ?? null;
    const [state, reason] = (isKept ? ['reused', 'same'] : ['rerun', stepId === request.from?.stepId ? 'chosen' : 'follows']) as [
      ForkState,
      ForkReason,
    ];
    return {
      stepId,
      nodeId,
      name,
      round,
      item: 0,
      state,
      reason,
      cost: [],
      ...(kind === 'person' && { kind }),
      tokens: isKept || used === null ? null : { min: used, max: used },
    };
  });
  const sum = steps.reduce((total, { tokens }) => total + (tokens?.max ?? 0), 0);
  return { execution: null, steps, tokens: { min: sum, max: sum }, cost: [] };
}

function keptStep(step: StepRun, executionId: string): StepRun {
  const { toolUse: _toolUse, ...result } = structuredClone(step);
  return {
    ...result,
    status: 'reused',
    attempts: 0,
    startedAt: null,
    durationMs: null,
    usage: null,
    reusedFrom: step.reusedFrom ?? { executionId, stepId: step.stepId },
  };
}

function stepAgain({ stepId, orderIndex, name, agentId, nodeId, role, pipelineStepId, round }: StepRun): StepRun {
  return {
    stepId,
    orderIndex,
    name,
    agentId,
    nodeId,
    role,
    status: 'pending',
    attempts: 0,
    ...(pipelineStepId !== undefined && { pipelineStepId }),
    ...(round !== undefined && { round }),
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
}
