import type { StepRun } from '../../../../contract/executions/execution.ts';

type Status = StepRun['status'];

/** The maximum of drawn segments. */
const maxSegments = 100;

/** Sums over the steps of a run. */
export type RunTally = {
  counts: Record<Status, number>;
  /** The place of the first step in each status; -1 without any. */
  firstAt: Record<Status, number>;
  totalTokens: number;
  /** Results of the simulated provider. */
  simulated: number;
  /** For each segment the place of the step that represents it; several steps share a segment in a long run. */
  shownAt: readonly number[];
};

const known = new WeakMap<readonly StepRun[], RunTally>();
let newest: readonly StepRun[] | null = null;

/** Returns the tally of a run's steps. Where few steps differ from those of the last call, only these are looked at. */
export function runTally(steps: readonly StepRun[]): RunTally {
  let tally = known.get(steps);
  if (!tally) {
    tally = (newest && changedTally(newest, steps)) ?? newTally(steps);
    known.set(steps, tally);
  }
  newest = steps;
  return tally;
}

/** The number of steps in a segment. */
export function stepsOfSegment(total: number): number {
  return Math.max(1, Math.ceil(total / maxSegments));
}

export function newTally(steps: readonly StepRun[]): RunTally {
  const tally: RunTally = {
    counts: { pending: 0, waiting: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0, reused: 0 },
    firstAt: { pending: -1, waiting: -1, running: -1, completed: -1, failed: -1, cancelled: -1, skipped: -1, reused: -1 },
    ...{ totalTokens: 0, simulated: 0, shownAt: [] },
  };
  for (const [at, step] of steps.entries()) {
    tally.counts[step.status] += 1;
    if (tally.firstAt[step.status] < 0) tally.firstAt[step.status] = at;
    addSums(tally, step, 1);
  }
  const segments = Math.ceil(steps.length / stepsOfSegment(steps.length));
  return { ...tally, shownAt: Array.from({ length: segments }, (_, segment) => shownOf(steps, segment)) };
}

/** More differences than this share of the steps are tallied anew. */
const fewChanges = 0.1;

function changedTally(from: readonly StepRun[], steps: readonly StepRun[]): RunTally | null {
  const before = known.get(from);
  if (!before || from.length !== steps.length) return null;
  const places: number[] = [];
  for (let at = 0; at < steps.length; at++) if (steps[at] !== from[at]) places.push(at);
  if (places.length > steps.length * fewChanges) return null;
  const tally = { ...before, counts: { ...before.counts }, firstAt: { ...before.firstAt } };
  const shownAt = [...before.shownAt];
  for (const at of places) {
    const [was, is] = [from[at], steps[at]] as [StepRun, StepRun];
    tally.counts[was.status] -= 1;
    tally.counts[is.status] += 1;
    addSums(tally, was, -1);
    addSums(tally, is, 1);
  }
  for (const at of places) {
    const [was, is] = [from[at], steps[at]] as [StepRun, StepRun];
    const first = tally.firstAt[is.status];
    if (first < 0 || at < first) tally.firstAt[is.status] = at;
    if (tally.firstAt[was.status] === at && was.status !== is.status)
      tally.firstAt[was.status] =
        tally.counts[was.status] === 0 ? -1 : steps.findIndex(({ status }, other) => other > at && status === was.status);
  }
  for (const segment of new Set(places.map((at) => Math.floor(at / stepsOfSegment(steps.length)))))
    shownAt[segment] = shownOf(steps, segment);
  return { ...tally, shownAt };
}

function addSums(tally: RunTally, { usage, simulated, result }: StepRun, sign: 1 | -1): void {
  tally.totalTokens += sign * (usage?.totalTokens ?? 0);
  if (simulated && result !== null) tally.simulated += sign;
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
