import type { StepRun } from '../../../../contract/executions/execution.ts';

type Status = StepRun['status'];

/** The maximum of drawn segments. */
const maxSegments = 100;

/** Sums over the steps of a run. */
type RunTotals = {
  counts: Record<Status, number>;
  /** The place of the first step in each status; -1 without any. */
  firstAt: Record<Status, number>;
  totalTokens: number;
  /** Results of the simulated provider. */
  simulated: number;
  /** For each segment the place of the step that represents it; several steps share a segment in a long run. */
  shownAt: readonly number[];
};

const known = new WeakMap<readonly StepRun[], RunTotals>();
let newest: readonly StepRun[] | null = null;

/** Returns the totals of a run's steps. Where few steps differ from those of the last call, only these are looked at. */
export function runTotals(steps: readonly StepRun[]): RunTotals {
  let totals = known.get(steps);
  if (!totals) {
    totals = (newest && changedTotals(newest, steps)) ?? countSteps(steps);
    known.set(steps, totals);
  }
  newest = steps;
  return totals;
}

/** The number of steps in a segment. */
export function stepsOfSegment(total: number): number {
  return Math.max(1, Math.ceil(total / maxSegments));
}

export function countSteps(steps: readonly StepRun[]): RunTotals {
  const totals: RunTotals = {
    counts: { pending: 0, waiting: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0, reused: 0 },
    firstAt: { pending: -1, waiting: -1, running: -1, completed: -1, failed: -1, cancelled: -1, skipped: -1, reused: -1 },
    totalTokens: 0,
    simulated: 0,
    shownAt: [],
  };
  for (const [at, step] of steps.entries()) {
    totals.counts[step.status] += 1;
    if (totals.firstAt[step.status] < 0) totals.firstAt[step.status] = at;
    addSums(totals, step, 1);
  }
  const segments = Math.ceil(steps.length / stepsOfSegment(steps.length));
  return { ...totals, shownAt: Array.from({ length: segments }, (_, segment) => shownOf(steps, segment)) };
}

/** More differences than this share of the steps are counted anew. */
const fewChanges = 0.1;

function changedTotals(from: readonly StepRun[], steps: readonly StepRun[]): RunTotals | null {
  const before = known.get(from);
  if (!before || from.length !== steps.length) return null;
  const places: number[] = [];
  for (let at = 0; at < steps.length; at++) if (steps[at] !== from[at]) places.push(at);
  if (places.length > steps.length * fewChanges) return null;
  const totals = { ...before, counts: { ...before.counts }, firstAt: { ...before.firstAt } };
  const shownAt = [...before.shownAt];
  for (const at of places) {
    const [was, is] = [from[at], steps[at]] as [StepRun, StepRun];
    totals.counts[was.status] -= 1;
    totals.counts[is.status] += 1;
    addSums(totals, was, -1);
    addSums(totals, is, 1);
  }
  for (const at of places) {
    const [was, is] = [from[at], steps[at]] as [StepRun, StepRun];
    const first = totals.firstAt[is.status];
    if (first < 0 || at < first) totals.firstAt[is.status] = at;
    if (totals.firstAt[was.status] === at && was.status !== is.status)
      totals.firstAt[was.status] =
        totals.counts[was.status] === 0 ? -1 : steps.findIndex(({ status }, other) => other > at && status === was.status);
  }
  for (const segment of new Set(places.map((at) => Math.floor(at / stepsOfSegment(steps.length)))))
    shownAt[segment] = shownOf(steps, segment);
  return { ...totals, shownAt };
}

function addSums(totals: RunTotals, { usage, simulated, result }: StepRun, sign: 1 | -1): void {
  totals.totalTokens += sign * (usage?.totalTokens ?? 0);
  if (simulated && result !== null) totals.simulated += sign;
}

/** The step with the least weight represents its segment; of several the first. */
const weights: Record<Status, number> = {
  waiting: 0,
  running: 1,
  failed: 2,
  pending: 3,
  cancelled: 4,
  completed: 5,
  reused: 6,
  skipped: 7,
};

function shownOf(steps: readonly StepRun[], segment: number): number {
  const each = stepsOfSegment(steps.length);
  let shown = segment * each;
  for (let at = shown + 1; at < Math.min(steps.length, (segment + 1) * each); at++)
    if (weights[(steps[at] as StepRun).status] < weights[(steps[shown] as StepRun).status]) shown = at;
  return shown;
}
