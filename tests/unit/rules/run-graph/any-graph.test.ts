import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import type { CompiledGraph } from '../../../../rules/run-graph/run-graph.ts';
import { driveRun } from '../../../support/run-graph/drive-run.ts';
import { type Block, type MadeGraph, madeGraph, outcomeOf, outcomeWithPeople, taskOf } from '../../../support/run-graph/random-run.ts';
import { keyOf, referenceRun } from '../../../support/run-graph/reference-run.ts';

const graphs = 150;

test.each([
  ['alone', outcomeOf],
  ['with people who hand results on, or not', outcomeWithPeople],
])('a graph comes to what the reference run comes to, in any order in which steps end: %s', (_, outcomeFor) => {
  fc.assert(
    fc.property(madeGraph({ firstWins: false }), fc.integer({ min: 1, max: 6 }), (made, maxParallel) => {
      const compiled = compiledOf(made);
      const outcome = (nodeId: string, round: number, item: number) => outcomeFor(made, nodeId, round, item);
      const task = taskOf(made);
      const expected = referenceRun(made, outcome, task);
      for (const order of ['first', 'second', 'third']) {
        const driven = driveRun({ compiled, task, outcomeOf: outcome, order, maxParallel });
        const found = new Map(driven.steps.map((step) => [keyOf(step.nodeId, step.round, step.item), step.status]));
        if (driven.failure !== null) {
          expect(expected.failures).toContain(driven.failure);
          for (const [key, status] of found)
            if (['completed', 'failed', 'skipped'].includes(status)) expect([key, expected.runs.get(key)?.status]).toEqual([key, status]);
        } else {
          expect(expected.failures).toEqual(new Set());
          expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...expected.runs].map(([key, { status }]) => [key, status])));
        }
        for (const [key, inputs] of driven.inputs) expect([key, inputs]).toEqual([key, expected.runs.get(key)?.inputs]);
        for (const [key, text] of driven.items) expect([key, text]).toEqual([key, expected.runs.get(key)?.item]);
      }
    }),
    { numRuns: graphs },
  );
});

test.each([
  ['alone', outcomeOf],
  ['with people', outcomeWithPeople],
])(
  'a graph with steps that begin with the first result ends, cuts off only what is not needed, and runs no step twice: %s',
  (_, outcomeFor) => {
    fc.assert(
      fc.property(madeGraph({ firstWins: true }), fc.integer({ min: 1, max: 6 }), fc.string(), (made, maxParallel, order) => {
        const compiled = compiledOf(made);
        const outcome = (nodeId: string, round: number, item: number) => outcomeFor(made, nodeId, round, item);
        const { steps, begun } = driveRun({ compiled, task: taskOf(made), outcomeOf: outcome, order, maxParallel });
        expect(new Set(begun).size).toBe(begun.length);
        expect(new Set(steps.map(({ nodeId, round, item }) => keyOf(nodeId, round, item))).size).toBe(steps.length);
        if (!made.graph.nodes.some(({ firstWins }) => firstWins)) expect(steps.every(({ status }) => status !== 'cancelled')).toBe(true);
        for (const { nodeId, status } of steps)
          if (status === 'cancelled') expect(compiled.outgoing.get(nodeId)?.length).toBeGreaterThan(0);
      }),
      { numRuns: graphs },
    );
  },
);

test('steps without settings, one at a time, run in the order of the list', () => {
  const linked = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(linked, (sources) => {
      const nodes = sources.map((_, at) => ({ id: `s${at}` }));
      const links = sources.flatMap((from, to) =>
        to === 0 ? [] : [...new Set(from.map((one) => one % to))].map((one) => ({ id: `${one}-${to}`, from: `s${one}`, to: `s${to}` })),
      );
      const made = { graph: { nodes, links, groups: [], maxParallel: 1 }, blocks: [], seed: 0 };
      const completed = () => ({ status: 'completed' as const, choice: null, result: '' });
      const { begun } = driveRun({ compiled: compiledOf(made), outcomeOf: completed, order: '', maxParallel: 1 });
      expect(begun).toEqual(nodes.map(({ id }) => keyOf(id, 0, 0)));
    }),
  );
});

/** The compiled graph, with the loops and lists that the graph was made of. */
function compiledOf(made: MadeGraph): CompiledGraph {
  const checked = compileRunGraph(made.graph);
  if (!checked.ok) throw new Error(JSON.stringify([checked.problems, made]));
  const found = checked.compiled.regions.map(({ kind, id, nodes }) => [`${kind} ${id}`, [...nodes].sort()]);
  if (made.blocks.length > 0) expect(Object.fromEntries(found)).toEqual(Object.fromEntries(regionsIn(made.blocks)));
  return checked.compiled;
}

function regionsIn(blocks: Block[]): [string, string[]][] {
  const stepsIn = (block: Block): string[] => (block.kind === 'step' ? [block.id] : block.blocks.flatMap(stepsIn));
  return blocks.flatMap((block) =>
    block.kind === 'step' ? [] : [[`${block.kind} ${block.id}`, stepsIn(block).sort()] as [string, string[]], ...regionsIn(block.blocks)],
  );
}
