import type { Cost } from '../../../../contract/cost.ts';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { type LackingMark, lackingMarks, type StepMark, stepMarks } from '../../../../contract/executions/step-mark.ts';
import { addCosts } from '../../../../rules/cost/cost-of.ts';
import { stepCount } from '../../../../rules/run-graph/step-count.ts';
import type { Hue } from '../../../model/agents/roles.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import { stepState } from '../../../model/card-view.ts';
import type { RunState } from '../../../model/workspace-state.ts';
import { runTotals, stepsOfSegment } from './run-totals.ts';

type SegmentState = ReturnType<typeof stepState>;

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
  cost: Cost;
  /** True when the simulated provider wrote any result. */
  simulated: boolean;
  /** What results lack, of all steps. */
  marks: StepMark[];
  /** How many results are not whole, the gravest first. */
  lacks: { mark: LackingMark; count: number }[];
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
  const { counts, firstAt, totalTokens, simulated } = runTotals(run.steps);
  const first = (status: StepRun['status']) => run.steps[firstAt[status]] ?? null;
  const current = first('running') ?? first('failed') ?? (run.outcome ? null : first('pending'));
  const { total, done } = stepCount(run.steps);
  const ended = total - counts.pending - counts.running - counts.waiting;
  return {
    total,
    atWork: counts.running,
    done,
    current,
    currentNumber: current ? ended + (current.status === 'failed' ? 0 : 1) : total,
    totalTokens,
    cost: addCosts(run.steps.map((step) => step.cost)),
    simulated: simulated > 0,
    marks: marksOf(run.steps),
    lacks: lacksOf(run.steps),
    segments: segmentsOf(run),
  };
}

/** What the results of steps lack, each once, the gravest first. */
function marksOf(steps: readonly StepRun[]): StepMark[] {
  const found = new Set(steps.flatMap(resultMarks));
  return stepMarks.filter((mark) => found.has(mark));
}

function lacksOf(steps: readonly StepRun[]): RunFigures['lacks'] {
  const found = steps.map(resultMarks);
  return lackingMarks
    .map((mark) => ({ mark, count: found.filter((marks) => marks.includes(mark)).length }))
    .filter(({ count }) => count > 0);
}

/** What the result of a step lacks; nothing for a step without one. */
function resultMarks({ marks = [], status }: StepRun): readonly StepMark[] {
  return status === 'completed' || status === 'reused' ? marks : [];
}

function segmentsOf({ steps, outcome }: RunState): RunFigures['segments'] {
  const each = stepsOfSegment(steps.length);
  return runTotals(steps).shownAt.map((place, at) => {
    const [first, last] = [steps[at * each], steps[Math.min(steps.length, (at + 1) * each) - 1]] as [StepRun, StepRun];
    const shown = steps[place] as StepRun;
    return {
      stepId: first.stepId,
      hue: roleHue(shown.role),
      state: stepState(shown.status, outcome !== null),
      title: first === last ? first.name : `${first.name} – ${last.name}`,
    };
  });
}

/** Returns the time since the run's start, up to its end (ms); null before the start. `now` in ms since the epoch. */
export function runElapsedMs(run: Pick<RunState, 'execution'>, now: number): number | null {
  const execution = run.execution;
  if (!execution?.startedAt) return null;
  const end = execution.completedAt ?? execution.failedAt;
  return Math.max(0, (end ? Date.parse(end) : now) - Date.parse(execution.startedAt));
}

/**
 * Returns the time so far in which an agent worked (ms); null before the start. Steps that run at the same time count once, and waiting for a
 * person does not count.
 */
export function runActiveMs(run: Pick<RunState, 'execution' | 'steps'>, now: number): number | null {
  if (!run.execution?.startedAt) return null;
  let sum = 0;
  const spans: [from: number, to: number][] = [];
  for (const step of run.steps) {
    if (step.kind === 'person' || (step.durationMs === null && step.status !== 'running')) continue;
    const ms = stepElapsedMs(step, now) ?? 0;
    const to = step.durationMs === null ? now : Date.parse(step.completedAt ?? '');
    if (Number.isNaN(to)) sum += ms;
    else spans.push([to - ms, to]);
  }
  let covered = Number.NEGATIVE_INFINITY;
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return sum;
}

/** Returns the duration of a step so far (ms); null before its start. */
export function stepElapsedMs(step: Pick<StepRun, 'startedAt' | 'completedAt' | 'durationMs'>, now: number): number | null {
  if (step.durationMs !== null) return step.durationMs;
  if (!step.startedAt) return null;
  return Math.max(0, (step.completedAt ? Date.parse(step.completedAt) : now) - Date.parse(step.startedAt));
}
