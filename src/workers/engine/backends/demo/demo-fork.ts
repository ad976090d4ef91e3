import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { Fork, ForkReason, ForkRequest, ForkState } from '../../../../../contract/executions/fork.ts';
import { pendingStep } from '../../../../model/run/not-started.ts';
import type { DemoRun } from './demo-run.ts';

/** A fork of a run of the script: its steps, those of them that it keeps in the order in which they had begun, and how it is shown. */
export type DemoFork = { steps: StepRun[]; begun: StepRun[]; preview: Fork };

/** The fork of an ended run from one of its steps; null for a request that the script cannot follow, such as one with an edited result. */
export function demoFork({ execution, steps, begun, moves }: DemoRun, request: ForkRequest): DemoFork | null {
  const { from, edits = [], graph = 'then', model, onlyStep = false } = request;
  const count = begun.findIndex(({ stepId }) => stepId === from?.stepId);
  if (count < 0 || edits.length > 0 || graph === 'now' || model || onlyStep) return null;
  /** The last round of a card that the kept steps have begun. */
  const lastRound = (nodeId: string | null) =>
    moves.slice(0, count).filter((move) => 'again' in move && nodeId !== null && move.again?.includes(nodeId)).length;
  const kept = new Map(begun.slice(0, count).map((step) => [step.stepId, keptStep(step, execution.id)]));
  const forked = steps
    .filter(({ round = 0, nodeId }) => round <= lastRound(nodeId))
    .map((step) => kept.get(step.stepId) ?? pendingStep(step));
  return { steps: forked, begun: [...kept.values()], preview: previewOf(steps, forked, from?.stepId) };
}

/** What a fork would keep and run again. */
function previewOf(before: readonly StepRun[], forked: readonly StepRun[], chosenId: string | undefined): Fork {
  const steps = forked.map(({ stepId, nodeId, name, round = 0, status }) => {
    const isKept = status === 'reused';
    const { kind, usage } = before.find((step) => step.stepId === stepId) ?? {};
    const used = usage?.totalTokens ?? null;
    const state: ForkState = isKept ? 'reused' : 'rerun';
    const reason: ForkReason = isKept ? 'same' : stepId === chosenId ? 'chosen' : 'follows';
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
