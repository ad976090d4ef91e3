import { expect, test } from 'vitest';
import { benchDocument, benchRun } from '../../../src/app/bench/bench-document.ts';
import { benchGraph } from '../../../src/app/bench/bench-graph.ts';
import { isLocked } from '../../../src/model/workspace-state.ts';

test('W2.05 the benchmark makes the same graph of any size each time, with every link between two of its cards', () => {
  for (const n of [1, 2, 50, 1_000]) {
    const graph = benchGraph(n);
    expect(graph).toEqual(benchGraph(n));
    const { nodes, connections } = benchDocument(graph);
    expect(Object.keys(nodes)).toHaveLength(n);
    const pairs = Object.values(connections).map(({ from, to }) => `${from.agentId} ${to.agentId}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    for (const { from, to } of Object.values(connections)) {
      expect(from.agentId).not.toBe(to.agentId);
      expect(nodes[from.agentId] && nodes[to.agentId]).toBeDefined();
    }
  }
});

test('W2.05 the cards of the benchmark show states of steps, and its run has ended, so that its cards can be moved', () => {
  const run = benchRun(benchGraph(50));
  expect(isLocked(run)).toBe(false);
  expect(new Set(run.steps.map((step) => step.status))).toEqual(new Set(['running', 'completed', 'failed']));
});
