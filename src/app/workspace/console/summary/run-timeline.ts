import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { linesOfSpans } from '../conversation/lines-of-spans.ts';

type TimelineRow = {
  step: StepRun;
  /** Ms from the run's beginning; null while the step has not begun. */
  startMs: number | null;
  durationMs: number;
};

/** All runs of one card. Those that overlap are on different lines of the lane, from 0. */
export type TimelineLane = { id: string; lines: number; bars: (TimelineRow & { line: number })[] };

export type RunTimeline = { totalMs: number; ticksMs: number[]; lanes: TimelineLane[] };

const tickStepsMs = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];

/** Computes a lane for each card, with a bar for each of its runs on the axis and the real gaps between them. `now` (ms since the epoch) ends a running step. */
export function runTimeline(steps: readonly StepRun[], startedAt: string | null, now: number): RunTimeline {
  const begun = steps.map((step) => step.startedAt).filter((at): at is string => at !== null);
  const origin = Math.min(...[startedAt, ...begun].filter((at): at is string => at !== null).map((at) => Date.parse(at)));
  const rows = steps.map((step): TimelineRow => {
    if (!step.startedAt) return { step, startMs: null, durationMs: 0 };
    const start = Date.parse(step.startedAt);
    const end = step.completedAt ? Date.parse(step.completedAt) : step.durationMs !== null ? start + step.durationMs : Math.max(start, now);
    return { step, startMs: start - origin, durationMs: Math.max(0, end - start) };
  });
  const totalMs = Math.max(1, ...rows.map((row) => (row.startMs ?? 0) + row.durationMs));
  const byCard = Map.groupBy(rows, ({ step }) => step.nodeId ?? step.pipelineStepId ?? step.stepId);
  return { totalMs, ticksMs: ticks(totalMs), lanes: [...byCard].map(([id, ofCard]) => laneOf(id, ofCard)) };
}

function laneOf(id: string, rows: readonly TimelineRow[]): TimelineLane {
  const { lines, lineOf } = linesOfSpans(rows, ({ startMs, durationMs }) =>
    startMs === null ? null : { startMs, endMs: startMs + durationMs },
  );
  return { id, lines, bars: rows.map((row) => ({ ...row, line: lineOf.get(row) ?? 0 })) };
}

/** Returns at most five marks with round values, the first at zero. */
function ticks(totalMs: number): number[] {
  const step = tickStepsMs.find((candidate) => totalMs / candidate < 5) ?? Math.ceil(totalMs / 5);
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => index * step);
}
