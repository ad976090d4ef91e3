import type { Execution, ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import type { ChangedStep, ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Problem } from '../problem.ts';
import type { RunPhase, RunState } from '../workspace-state.ts';
import { nothingDone } from './not-started.ts';

/**
 * Applies one event of its execution's log to a run, or to a draft of one. Returns false for an event that was applied before, or that
 * belongs to another execution: an event may arrive by socket and by poll. Events must arrive in order. `cursor` is for callers that apply many events.
 */
export function applyExecutionEvent(run: RunState, event: ExecutionEvent, cursor: StepCursor = { at: 0 }): boolean {
  const { execution } = run;
  if (!execution || execution.id !== event.executionId || event.seq <= execution.lastSeq) return false;
  execution.lastSeq = event.seq;
  execution.status = event.status;
  execution.pauseRequested = event.pauseRequested;
  execution.progress = event.progress;
  execution.updatedAt = event.at;
  if (event.error) execution.error = event.error;
  if (event.step) {
    const { step } = event;
    const index = placeOf(run.steps, step.stepId, cursor.at);
    cursor.at = index >= 0 ? index : run.steps.length;
    run.steps[cursor.at] = step;
    if (step.status !== 'running') {
      delete run.partial[step.stepId];
      delete run.logs[step.stepId];
    }
  }
  if (event.changedSteps) changeSteps(run.steps, event.changedSteps, cursor.made);
  switch (event.type) {
    case 'execution.started':
      execution.startedAt ??= event.at;
      break;
    case 'execution.resumed':
      // A failed run continues.
      execution.error = null;
      execution.failedAt = null;
      run.error = null;
      break;
    case 'holds.changed':
      if (event.holds) execution.holds = event.holds;
      break;
    case 'execution.completed':
      execution.completedAt = event.at;
      execution.result = event.text;
      if (event.limited) execution.limited = true;
      break;
    case 'execution.failed':
      execution.failedAt = event.at;
      break;
    case 'execution.cancelled':
      execution.completedAt ??= event.at;
      break;
  }
  countQuestions(execution, event);
  settle(run, execution);
  return true;
}

/**
 * `at`: the place of the step that was changed last; the next one is often close behind it. `made`: the steps that changes have made, for events
 * that are applied several times: each time to the same objects.
 */
export type StepCursor = { at: number; made?: Map<ChangedStep, StepRun> };

/** Returns the place of a step, searched from a place on and around; -1 if it is not there. */
function placeOf(steps: readonly StepRun[], stepId: string, from: number): number {
  const { length } = steps;
  for (let tried = 0; tried < length; tried += 1) {
    const at = (from + tried) % length;
    if (steps[at]?.stepId === stepId) return at;
  }
  return -1;
}

/** Counts the open questions; the end of a run withdraws them. */
function countQuestions(execution: Execution, { type, status }: ExecutionEvent): void {
  const change = type === 'question.opened' ? 1 : questionEnds.has(type) ? -1 : 0;
  const count = status === 'completed' || status === 'failed' || status === 'cancelled' ? 0 : (execution.openQuestions ?? 0) + change;
  if (count > 0) execution.openQuestions = count;
  else delete execution.openQuestions;
}

const questionEnds = new Set<ExecutionEvent['type']>(['question.answered', 'question.expired', 'question.withdrawn']);

/** Adds runs of steps in other rounds and for other items, and skips steps. */
function changeSteps(steps: StepRun[], changes: readonly ChangedStep[], made?: Map<ChangedStep, StepRun>): void {
  const places = new Map(steps.map(({ stepId }, at) => [stepId, at]));
  for (const change of changes) {
    const { stepId, pipelineStepId, round, item, status } = change;
    const known = places.get(stepId);
    const origin = steps[known ?? places.get(pipelineStepId) ?? -1];
    if (!origin) continue;
    const isNew = known === undefined && { ...nothingDone, cost: undefined, choice: undefined, stepId, pipelineStepId };
    const step: StepRun = made?.get(change) ?? { ...origin, ...isNew, round, item, status };
    made?.set(change, step);
    if (known !== undefined) steps[known] = step;
    else steps.push(step);
  }
  steps.sort(inOrder);
}

/** In the order of the pipeline, then of the items, then of the rounds. */
function inOrder(a: StepRun, b: StepRun): number {
  return a.orderIndex - b.orderIndex || (a.item ?? 0) - (b.item ?? 0) || (a.round ?? 0) - (b.round ?? 0);
}

/** Updates a run, or a draft of one, to the server's execution; a requested stop stays requested. */
export function showExecution(run: RunState, { steps, ...execution }: ExecutionDetails): void {
  const another = run.execution?.id !== execution.id;
  if (another) {
    run.partial = {};
    run.logs = {};
    run.graph = null;
    delete run.isPast;
  }
  run.execution = execution;
  run.steps = steps.toSorted(inOrder);
  run.error = null;
  if (another) run.phase = 'starting';
  settle(run, execution);
}

/** Marks a run, or a draft of one, whose execution was removed. */
export function markExecutionRemoved(run: RunState, problem: Problem): void {
  run.phase = 'stopped';
  run.error = problem;
  run.partial = {};
  run.logs = {};
  run.outcome ??= 'cancelled';
  for (const step of run.steps) if (step.status === 'running' || step.status === 'pending') step.status = 'cancelled';
}

/** Returns the phase of the run control for an execution. */
export function phaseOf(execution: Pick<Execution, 'status' | 'pauseRequested'>): RunPhase {
  switch (execution.status) {
    case 'pending':
      return 'starting';
    case 'running':
      return execution.pauseRequested ? 'pausing' : 'running';
    case 'paused':
      return 'paused';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return 'stopped';
  }
}

function settle(run: RunState, execution: Execution): void {
  const phase = phaseOf(execution);
  if (phase !== 'stopped') {
    run.outcome = null;
    if (run.phase !== 'stopping') run.phase = phase;
    return;
  }
  run.phase = 'stopped';
  run.outcome = execution.status === 'completed' || execution.status === 'failed' ? execution.status : 'cancelled';
  run.partial = {};
  run.logs = {};
  if (execution.status === 'failed' && execution.error)
    run.error = { code: execution.error.code, params: { error: execution.error.message } };
}
