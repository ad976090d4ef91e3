import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { chainOf } from '../../../../rules/run-graph/run-graph-of.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import { settleChain } from '../../../../rules/run-graph/settle-chain.ts';
import { settleRun } from '../../../../rules/run-graph/settle-run.ts';

const stepOf = (id: number, status: StepState['status']): StepState => ({
  id: `step ${id}`,
  nodeId: `step ${id}`,
  round: 0,
  item: 0,
  status,
  choice: null,
});

/** The steps of a chain as they can be while it works: results, at most one step under way, and steps that have not begun. */
const chains = fc
  .record({
    done: fc.array(fc.constantFrom<StepState['status'][]>('completed', 'reused'), { maxLength: 8 }),
    underWay: fc.option(fc.constantFrom<StepState['status'][]>('running', 'waiting')),
    left: fc.nat({ max: 8 }),
  })
  .map(({ done, underWay, left }) => [...done, ...(underWay === null ? [] : [underWay]), ...Array<'pending'>(left).fill('pending')])
  .filter((statuses) => statuses.length > 0)
  .map((statuses) => statuses.map((status, at) => stepOf(at, status)));

test('G1.01 a chain is settled as the graph in which each step has one link to the next', () => {
  fc.assert(
    fc.property(chains, (steps) => {
      const made = compileRunGraph(chainOf(steps.map(({ id }) => ({ id, nodeId: id }))));
      if (!made.ok) throw new Error('A chain does not compile.');
      const settled = settleRun({ compiled: made.compiled, steps, task: '', resultOf: () => '', newId: () => 'none', maxRuns: 10_000 });
      expect(settleChain(steps, (step) => step)).toEqual(settled);
    }),
  );
});
