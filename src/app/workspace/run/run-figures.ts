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

/** A cache, since run control, announcer and summary ask for the figures of the same run. */
const known = new WeakMap<RunState, RunFigures>();

/** Returns the figures of the run control and the summary, without times. */
export function runFigures(run: RunState): RunFigures {
  let figures = known.get(run);
  if (!figures) {
    figures = figuresOf(run);
    known.set(run, figures);
  }
  return figures;
}

function figuresOf(run: RunState): RunFigures {
  const first: Partial<Record<StepRun['status'], StepRun>> = {};
  const counts: Partial<Record<StepRun['status'], number>> = {};
  let totalTokens = 0;
  let simulated = false;
  for (const step of run.steps) {
    first[step.status] ??= step;
    counts[step.status] = (counts[step.status] ?? 0) + 1;
    totalTokens += step.usage?.totalTokens ?? 0;
    simulated ||= step.simulated && step.result !== null;
  }
  const of = (status: StepRun['status']) => counts[status] ?? 0;
  const next = run.outcome ? undefined : first.pending;
  const current = first.running ?? first.failed ?? next ?? null;
  const total = run.steps.length - of('skipped');
  const ended = total - of('pending') - of('running') - of('waiting');
  return {
    total,
    atWork: of('running'),
    done: of('completed'),
    current,
    currentNumber: current ? ended + (current.status === 'failed' ? 0 : 1) : total,
    totalTokens,
    simulated,
    segments: segmentsOf(run),
  };
}

/** The maximum of drawn segments. */
const maxSegments = 100;

function segmentsOf({ steps, outcome }: RunState): RunFigures['segments'] {
  const each = Math.max(1, Math.ceil(steps.length / maxSegments));
  return Array.from({ length: Math.ceil(steps.length / each) }, (_, at) => {
    const end = Math.min(steps.length, (at + 1) * each);
    const [first, last] = [steps[at * each], steps[end - 1]] as [StepRun, StepRun];
    let shown = first;
    for (let place = at * each; place < end; place++) {
      const step = steps[place] as StepRun;
      if (weights[step.status] < weights[shown.status]) shown = step;
    }
    return {
      stepId: first.stepId,
      hue: roleHue(shown.role),
      state: segmentState(shown.status, outcome !== null),
      title: first === last ? first.name : `${first.name} – ${last.name}`,
    };
  });
}

/** The step with the least weight represents its segment; of several the first. */
const weights: Record<StepRun['status'], number> = {
  waiting: 0,
  running: 1,
  failed: 2,
  pending: 3,
  cancelled: 4,
  completed: 5,
  skipped: 6,
};

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
