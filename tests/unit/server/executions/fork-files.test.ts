import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earlierRuns, pathsAt } from '../../../../server/modules/executions/forks/original-run.ts';
import type { StepRow } from '../../../../server/modules/executions/store/rows.ts';

type Write = { at: number; path: string };
type Step = { begun: number; ended: number; writes: Write[]; reads: { path: string; sha256: string }[] };

const row = ({ begun, ended, reads }: Step, number: number): StepRow =>
  ({
    ...{ stepId: `s${number}`, nodeId: `s${number}`, pipelineStepId: null, round: 0, item: 0, status: 'completed', choice: null },
    ...{ handOff: null, result: '', reusedFrom: null, readFiles: reads, startedAt: new Date(begun), completedAt: new Date(ended) },
  }) as unknown as StepRow;

const paths = ['a', 'b', 'c', 'd', 'e'];
const path = fc.constantFrom(...paths);
const sha256 = fc.constantFrom('1', '2');
/** A step that writes while it runs, or with its end. */
const step = fc
  .record({
    begun: fc.nat({ max: 50 }),
    ms: fc.integer({ min: 1, max: 20 }),
    shares: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), path), { maxLength: 3 }),
  })
  .chain(({ begun, ms, shares }) =>
    fc.record({
      ...{ begun: fc.constant(begun), ended: fc.constant(begun + ms) },
      writes: fc.constant(shares.map(([share, name]) => ({ at: begun + ms * share, path: name }))),
      reads: fc.array(fc.record({ path, sha256 }), { maxLength: 2 }),
    }),
  );
const original = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  given: fc.array(fc.record({ path, sha256 }), { maxLength: 2 }),
  hashes: fc.array(sha256, { minLength: 24, maxLength: 24 }),
  removals: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
  removed: fc.nat({ max: 8 }),
});

type Made = { steps: Step[]; given: Step['reads']; hashes: string[]; removals: boolean[]; removed: number };

function setUp({ steps, given, hashes, removals, removed }: Made) {
  const rows = steps.map(row);
  let drawn = 0;
  const files = steps.flatMap(({ writes }, number) =>
    writes.map((write) => {
      const isRemoved = removals[drawn] as boolean;
      const sha256 = isRemoved ? null : (hashes[drawn] as string);
      drawn += 1;
      return { ...write, stepId: `s${number}`, sha256, isRemoved };
    }),
  );
  const run = { steps: rows, files, given };
  return { run, files, rows, earlier: earlierRuns(run, ({ stepId }) => (stepId === `s${removed}` ? null : stepId)) };
}

/** The paths that there are after the changes of files, in their order. */
function pathsAfter(given: readonly { path: string }[], changes: readonly { path: string; isRemoved: boolean }[]): string[] {
  const there = new Map<string, boolean>(given.map((file) => [file.path, true]));
  for (const { path: of, isRemoved } of changes) there.set(of, !isRemoved);
  return [...there].flatMap(([of, isThere]) => (isThere ? [of] : [])).toSorted();
}

test('C2.04 G5.12 in any run, the files at a step are the given ones and those that earlier steps of the fork wrote and did not remove', () => {
  fc.assert(
    fc.property(original, (made) => {
      const { run, files, rows, earlier } = setUp(made);
      for (const [number, { stepId }] of rows.entries()) {
        const of = earlier.runOf({ stepId });
        if (!of) continue;
        const there = files.filter((file) => file.stepId !== `s${made.removed}` && file.at <= (made.steps[number] as Step).ended);
        expect([...pathsAt(run, earlier, of)].toSorted()).toEqual(pathsAfter(made.given, there));
        const without = paths.map((name) => ({ path: name }));
        const others = there.filter((file) => file.stepId !== stepId);
        expect([...pathsAt(run, earlier, of, { without })].toSorted()).toEqual(pathsAfter(made.given, others));
      }
    }),
  );
});

test('G5.02 in any run, a file that a step read is given, its own or of a step of the fork, and otherwise its writer counts as unknown', () => {
  const seen = { known: 0, unknown: 0 };
  fc.assert(
    fc.property(original, (made) => {
      const { files, rows, earlier } = setUp(made);
      const isSame = (one: { path: string; sha256: string | null }, other: Step['reads'][number]) =>
        one.path === other.path && one.sha256 === other.sha256;
      for (const { stepId, readFiles } of rows) {
        const of = earlier.runOf({ stepId });
        if (!of) continue;
        const expected = (readFiles ?? []).flatMap((read) => {
          const writers = files.filter(({ path: of, sha256: hash }) => of === read.path && hash === read.sha256).map((file) => file.stepId);
          if (writers.includes(stepId) || made.given.some((file) => isSame(file, read))) return [];
          const inFork = writers.filter((writer) => writer !== `s${made.removed}`);
          return inFork.length > 0 ? inFork : [null];
        });
        expect(of.readFrom.map((one) => one?.nodeId ?? null)).toEqual(expected);
        seen.unknown += expected.filter((one) => one === null).length;
        seen.known += expected.filter((one) => one !== null).length;
      }
    }),
  );
  expect(Math.min(seen.known, seen.unknown)).toBeGreaterThan(0);
});
