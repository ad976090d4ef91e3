import { expect, test } from 'vitest';
import { withNewestResults } from '../../../../server/modules/executions/forks/newest-results.ts';
import type { Original } from '../../../../server/modules/executions/forks/original-run.ts';

type Row = { at?: number; status?: string; round?: number; item?: number; stepId?: string; made?: number };

/** A run with rows by card: the minute at which they ended. Cards of other pipelines begin with `z`. */
function runOf(id: string, rows: Record<string, Row>, { hasOutside = false } = {}) {
  const steps = Object.entries(rows).map(([card, { at = 0, status = 'completed', round = 0, item = 0, stepId, made }]) => ({
    ...{
      executionId: id,
      stepId: stepId ?? `${id} ${card}`,
      nodeId: card.slice(0, 1),
      round,
      item,
      status,
      result: status === 'skipped' ? null : id,
    },
    ...{ completedAt: new Date(at), reusedFrom: made === undefined ? null : { endedAt: made } },
  }));
  const files = steps.map(({ stepId, completedAt }) => ({ path: 'a', stepId, at: completedAt.getTime() }));
  return { row: { id, hasFiles: false, hasOutside }, steps, files, given: [], contexts: [] } as unknown as Original;
}
const stepFor = ({ nodeId }: { nodeId: string | null }) => (nodeId === 'z' ? null : nodeId);
const merge = (own: Original, ...others: Original[]) =>
  others.reduce((merged, other) => withNewestResults(merged, other, { stepFor, from: { nodeId: 'f' } as never }), own);
const from = (merged: ReturnType<typeof merge>) =>
  Object.fromEntries(merged.steps.map((row) => [`${row.nodeId}${row.round}`, row.executionId]));

test('D4.28 each card gets its newest result of all runs; a kept result is as old as the run that made it, and no result is none', () => {
  const own = runOf('own', { a: { at: 5 }, b: { at: 9, made: 1 }, c: { at: 5, status: 'skipped' }, f: { at: 1 } });
  const other = runOf('other', { a: { at: 4 }, b: { at: 2 }, c: { at: 1 }, f: { at: 9 }, z: { at: 9 } });
  const third = runOf('third', { a: { at: 8, status: 'failed' }, b: { at: 9, made: 1 }, c: { at: 3 } });
  expect(from(merge(own, other, third))).toEqual({ a0: 'own', b0: 'other', c0: 'third', f0: 'own' });
});

test('D4.28 results of other runs bring their rounds and the files of their steps, and stay marked as words from outside', () => {
  const own = runOf('own', { a: { at: 1, stepId: 's' }, b: { at: 4 } });
  const other = runOf('other', { a: { at: 2, stepId: 's' }, b1: { at: 3, round: 1 } }, { hasOutside: true });
  const merged = merge(own, other);
  expect(from(merged)).toEqual({ a0: 'other', b0: 'own', b1: 'other' });
  expect(merged.files.map(({ stepId, at }) => [stepId, at])).toEqual([
    ['s', 2],
    ['other b1', 3],
    ['own b', 4],
  ]);
  expect(merged.row.hasOutside).toBe(true);
  expect(merge(own, runOf('old', { a: { at: 0 } }, { hasOutside: true }))).toBe(own);
});
