import type { StepRun } from '../../../../contract/execution.ts';
import type { Hue } from '../../../model/agents/roles.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import type { RunState } from '../../../model/workspace-state.ts';

export type SegmentState = 'waiting' | 'active' | 'done' | 'failed' | 'stopped' | 'skipped';

export type RunFigures = {
  /** Steps in all, without skipped ones, and completed steps. */
  total: number;
  done: number;
  /** The running step, else the next one, else the failed one. */
  current: StepRun | null;
  /** The number of running steps. */
  atWork: number;
  /** From 1; 0 when there are no steps. */
  currentNumber: number;
  totalTokens: number;
  /** True when the simulated provider wrote any result. */
  simulated: boolean;
  /** Several steps share a segment in a long run. */
  segments: { stepId: string; hue: Hue; state: SegmentState; title: string }[];
};

/** The figures of the run control and the summary, without times. */
export function runFigures(run: RunState): RunFigures {
  const current =
    run.steps.find((step) => step.status === 'running') ??
    run.steps.find((step) => step.status === 'failed') ??
    (run.outcome ? null : (run.steps.find((step) => step.status === 'pending') ?? null));
  const toDo = run.steps.filter(({ status }) => status !== 'skipped');
  const ended = toDo.filter(({ status }) => status !== 'pending' && status !== 'running').length;
  return {
    total: toDo.length,
    atWork: run.steps.filter(({ status }) => status === 'running').length,
    done: run.steps.filter((step) => step.status === 'completed').length,
    current,
    currentNumber: current ? ended + (current.status === 'failed' ? 0 : 1) : toDo.length,
    totalTokens: run.steps.reduce((sum, step) => sum + (step.usage?.totalTokens ?? 0), 0),
    simulated: run.steps.some((step) => step.simulated && step.result !== null),
    segments: segmentsOf(run),
  };
}

/** The maximum of drawn segments. */
const maxSegments = 100;

function segmentsOf({ steps, outcome }: RunState): RunFigures['segments'] {
  const each = Math.max(1, Math.ceil(steps.length / maxSegments));
  return Array.from({ length: Math.ceil(steps.length / each) }, (_, at) => {
    const part = steps.slice(at * each, (at + 1) * each);
    const [first, last] = [part[0], part.at(-1)] as [StepRun, StepRun];
    const shown = statusesByWeight.map((status) => part.find((step) => step.status === status)).find((step) => step) ?? first;
    return {
      stepId: first.stepId,
      hue: roleHue(shown.role),
      state: segmentState(shown.status, outcome !== null),
      title: first === last ? first.name : `${first.name} – ${last.name}`,
    };
  });
}

/** The first step with this status represents its segment. */
const statusesByWeight: StepRun['status'][] = ['waiting', 'running', 'failed', 'pending', 'cancelled', 'completed', 'skipped'];

function segmentState(status: StepRun['status'], ended: boolean): SegmentState {
  switch (status) {
    case 'pending':
      return ended ? 'skipped' : 'waiting';
    case 'waiting':
      return ended ? 'skipped' : 'waiting';
    case 'running':
      return 'active';
    case 'completed':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    case 'skipped':
      return 'skipped';
  }
}

/** Returns the time since the run's start, up to its end (ms); null before the start. `now` in ms since the epoch. */
export function runElapsedMs(run: Pick<RunState, 'execution'>, now: number): number | null {
  const execution = run.execution;
  if (!execution?.startedAt) return null;
  const end = execution.completedAt ?? execution.failedAt;
  return Math.max(0, (end ? Date.parse(end) : now) - Date.parse(execution.startedAt));
}

/** Returns the agents' working time so far (ms): the steps' times without pauses and waits; null before the start. */
export function runActiveMs(run: Pick<RunState, 'execution' | 'steps'>, now: number): number | null {
  if (!run.execution?.startedAt) return null;
  return run.steps.reduce((sum, step) => sum + (stepElapsedMs(step, now) ?? 0), 0);
}

/** Returns the duration of a step so far (ms); null before its start. */
export function stepElapsedMs(step: Pick<StepRun, 'startedAt' | 'completedAt' | 'durationMs'>, now: number): number | null {
  if (step.durationMs !== null) return step.durationMs;
  if (!step.startedAt) return null;
  return Math.max(0, (step.completedAt ? Date.parse(step.completedAt) : now) - Date.parse(step.startedAt));
}
