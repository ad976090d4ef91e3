import { hasResult } from '../../../../rules/run-graph/step-count.ts';
import type { StepRow } from '../store/rows.ts';
import type { ForkedPipeline } from './forked-pipeline.ts';
import type { Original } from './original-run.ts';

/**
 * Puts newer results of another run in the places of the original's: of the same card, round and item. Rounds and items that the original never
 * had come along, and the files of each step with it. `from`: the step that runs again, whose rows stay.
 */
export function withNewestResults(
  original: Original,
  other: Original,
  { stepFor, from }: Pick<ForkedPipeline, 'stepFor'> & { from: StepRow | null },
): Original {
  const stays = from && stepFor(from);
  const newest = new Map<string, StepRow>();
  for (const row of other.steps) {
    const key = placeIn(row, stepFor);
    if (key === null || stepFor(row) === stays || !isUsable(row)) continue;
    newest.set(key, row);
  }
  // Runs of one pipeline have the same ids of steps, and one id stands for one place.
  const ids = new Set(original.steps.map(({ stepId }) => stepId));
  const steps = original.steps.map((row) => {
    const key = placeIn(row, stepFor);
    const newer = key === null ? undefined : newest.get(key);
    if (key !== null) newest.delete(key);
    if (!newer || (isUsable(row) && endOf(row) >= endOf(newer))) return row;
    if (newer.stepId !== row.stepId && ids.has(newer.stepId)) return row;
    ids.add(newer.stepId);
    return newer;
  });
  for (const row of newest.values()) {
    if (ids.has(row.stepId)) continue;
    ids.add(row.stepId);
    steps.push(row);
  }
  const taken = new Set(steps);
  if (!other.steps.some((row) => taken.has(row))) return original;
  const files = [original, other].flatMap((run) => {
    const own = new Set(run.steps.flatMap((row) => (taken.has(row) ? row.stepId : [])));
    return run.files.filter(({ stepId }) => own.has(stepId));
  });
  const row = {
    ...original.row,
    hasFiles: original.row.hasFiles || other.row.hasFiles,
    hasOutside: original.row.hasOutside || other.row.hasOutside,
  };
  return { ...original, row, steps, files: files.sort((a, b) => a.at - b.at) };
}

function placeIn(row: StepRow, stepFor: ForkedPipeline['stepFor']): string | null {
  const stepId = stepFor(row);
  return stepId === null ? null : `${stepId} ${row.round} ${row.item}`;
}

function isUsable({ status, result }: StepRow): boolean {
  return hasResult(status) && result !== null;
}

function endOf({ reusedFrom, completedAt }: StepRow): number {
  return reusedFrom?.endedAt ?? completedAt?.getTime() ?? 0;
}
