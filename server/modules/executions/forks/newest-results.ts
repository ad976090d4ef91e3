import { hasResult } from '../../../../rules/run-graph/step-count.ts';
import type { StepRow } from '../store/rows.ts';
import type { ForkedPipeline } from './forked-pipeline.ts';
import type { Original } from './original-run.ts';

/**
 * Puts the newest result of each place in the place of the original's: of the same card, round and item in other runs. Rounds and items that the
 * original never had come along, and the files of each step with it. `from`: the step that runs again, whose rows stay.
 */
export function withNewestResults(
  original: Original,
  others: readonly Original[],
  { stepFor, from }: Pick<ForkedPipeline, 'stepFor'> & { from: StepRow | null },
): Original {
  const stays = from && stepFor(from);
  const newest = new Map<string, StepRow>();
  for (const row of others.flatMap(({ steps }) => steps)) {
    const key = placeIn(row, stepFor);
    if (key === null || stepFor(row) === stays || !isUsable(row)) continue;
    const known = newest.get(key);
    if (!known || endOf(known) < endOf(row)) newest.set(key, row);
  }
  const steps = original.steps.map((row) => {
    const key = placeIn(row, stepFor);
    const other = key === null ? undefined : newest.get(key);
    if (key !== null) newest.delete(key);
    return other && (!isUsable(row) || endOf(row) < endOf(other)) ? other : row;
  });
  // Runs of one pipeline have the same ids of steps.
  const ids = new Set(steps.map(({ stepId }) => stepId));
  for (const row of newest.values()) {
    if (ids.has(row.stepId)) continue;
    ids.add(row.stepId);
    steps.push(row);
  }
  const taken = new Set(steps);
  const given = others.filter((other) => other.steps.some((row) => taken.has(row)));
  if (given.length === 0) return original;
  const files = [original, ...given].flatMap((run) => {
    const own = new Set(run.steps.flatMap((row) => (taken.has(row) ? row.stepId : [])));
    return run.files.filter(({ stepId }) => own.has(stepId));
  });
  const row = {
    ...original.row,
    hasFiles: original.row.hasFiles || given.some((run) => run.row.hasFiles),
    hasOutside: original.row.hasOutside || given.some((run) => run.row.hasOutside),
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
