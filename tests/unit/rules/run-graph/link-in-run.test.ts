import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { FollowedRun } from '../../../../rules/run-graph/followed-run.ts';
import type { RunGraph } from '../../../../rules/run-graph/run-graph.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import { driveRun } from '../../../support/run-graph/drive-run.ts';
import { madeGraph, outcomeOf, taskOf } from '../../../support/run-graph/random-run.ts';

function compiledOf(graph: RunGraph) {
  const compiled = compileRunGraph(graph);
  if (!compiled.ok) throw new Error(`A graph that was to run is refused: ${compiled.problems[0]?.code}`);
  return compiled.compiled;
}

/** Links are written `from-to`; steps begin as pending. */
function followed(links: Record<string, object>, groups: Record<string, string> = {}) {
  const graph: RunGraph = {
    nodes: [...new Set(Object.keys(links).flatMap((id) => id.split('-')))].map((id) => ({
      id,
      ...(groups[id] && { groupId: groups[id] }),
    })),
    links: Object.entries(links).map(([id, settings]) => ({ id, from: id.split('-')[0] ?? '', to: id.split('-')[1] ?? '', ...settings })),
    groups: [...new Set(Object.values(groups))].map((id) => ({ id, onFailure: 'stop' })),
    maxParallel: 4,
  };
  const step = (nodeId: string, changes: Partial<StepState> = {}): StepState => {
    const { round = 0, item = 0 } = changes;
    return {
      id: round + item > 0 ? `${nodeId} ${round} ${item}` : nodeId,
      nodeId,
      round,
      item,
      status: 'pending',
      choice: null,
      ...changes,
    };
  };
  const run = new FollowedRun(
    compiledOf(graph),
    graph.nodes.map(({ id }) => step(id)),
  );
  const states = () => Object.fromEntries(graph.links.map(({ id }, at) => [id, run.states()[at]]));
  return {
    run,
    states,
    set: (nodeId: string, changes: Partial<StepState>) => [...run.change([step(nodeId, changes)]).links.keys()].map(({ id }) => id),
  };
}

test('G1.01 a link is pending, then waits for the other links of a join, then passes its result on, then is taken', () => {
  const { set, states, run } = followed({ 'a-c': {}, 'b-c': {} });
  expect(states()).toEqual({ 'a-c': 'pending', 'b-c': 'pending' });
  expect(set('a', { status: 'completed' })).toEqual(['a-c']);
  expect(states()).toEqual({ 'a-c': 'waiting', 'b-c': 'pending' });
  set('b', { status: 'completed' });
  set('c', { status: 'running' });
  expect(states()).toEqual({ 'a-c': 'passing', 'b-c': 'passing' });
  set('c', { status: 'completed' });
  expect(states()).toEqual({ 'a-c': 'taken', 'b-c': 'taken' });
  expect(run.end(true).size).toBe(0);
});

test('G1.02 a case that was not chosen is dead, and so are the links of the steps that are skipped behind that case', () => {
  const { set, states } = followed({ 'a-b': { label: 'yes' }, 'a-c': { label: 'no' }, 'c-d': {} });
  set('a', { status: 'completed', choice: 'yes' });
  set('c', { status: 'skipped' });
  expect(states()).toEqual({ 'a-b': 'waiting', 'a-c': 'dead', 'c-d': 'dead' });
});

test('G1.03 a link back is taken in the round after the round that chose it, and dead when the first round did not choose it', () => {
  const loop = { 'a-b': {}, 'b-a': { maxRounds: 3, label: 'again' }, 'b-c': { label: 'good' } };
  const { set, states } = followed(loop);
  set('a', { status: 'completed' });
  set('b', { status: 'completed', choice: 'again' });
  set('a', { round: 1, status: 'running' });
  set('b', { round: 1 });
  expect(states()).toEqual({ 'a-b': 'pending', 'b-a': 'passing', 'b-c': 'pending' });
  set('a', { round: 1, status: 'completed' });
  set('b', { round: 1, status: 'completed', choice: 'good' });
  expect(states()).toEqual({ 'a-b': 'taken', 'b-a': 'taken', 'b-c': 'waiting' });
  const once = followed(loop);
  once.set('a', { status: 'completed' });
  once.set('b', { status: 'completed', choice: 'good' });
  expect(once.states()).toMatchObject({ 'b-a': 'dead', 'b-c': 'waiting' });
});

test('G1.04 a link inside a list passes results on while any of its items works', () => {
  const { set, states } = followed({ 'a-b': {}, 'b-c': {}, 'c-d': {} }, { b: 'g', c: 'g' });
  set('a', { status: 'completed' });
  for (const nodeId of ['b', 'c']) set(nodeId, { id: nodeId, item: 1 });
  for (const nodeId of ['b', 'c']) set(nodeId, { item: 2 });
  set('b', { id: 'b', item: 1, status: 'completed' });
  set('c', { id: 'c', item: 1, status: 'running' });
  expect(states()).toEqual({ 'a-b': 'waiting', 'b-c': 'passing', 'c-d': 'pending' });
});

test('G1.04 a list counts the items whose steps have all ended', () => {
  const { set, run } = followed({ 'a-b': {}, 'b-c': {} }, { b: 'g', c: 'g' });
  expect(run.lists()).toEqual({});
  for (const nodeId of ['b', 'c']) set(nodeId, { id: nodeId, item: 1 });
  for (const nodeId of ['b', 'c']) for (const item of [2, 3]) set(nodeId, { item });
  expect(run.lists()).toEqual({ g: { done: 0, total: 3 } });
  set('b', { item: 2, status: 'completed' });
  expect(run.lists()).toEqual({ g: { done: 0, total: 3 } });
  const { lists } = run.change([{ id: 'c 0 2', nodeId: 'c', round: 0, item: 2, status: 'failed', choice: null }]);
  expect([...lists]).toEqual([['g', { done: 1, total: 3 }]]);
});

test('W4.08 a stopped run has no open link, and the links of a continued run are open again', () => {
  const { set, states, run } = followed({ 'a-b': {}, 'b-c': {} });
  set('a', { status: 'completed' });
  run.end(true);
  expect(states()).toEqual({ 'a-b': 'dead', 'b-c': 'dead' });
  run.end(false);
  expect(states()).toEqual({ 'a-b': 'waiting', 'b-c': 'pending' });
});

test('G1.01 following a run step by step gives the states that all its steps give at once', () => {
  fc.assert(
    fc.property(madeGraph({ firstWins: true }), fc.integer({ min: 1, max: 6 }), fc.string(), (made, maxParallel, order) => {
      const compiled = compiledOf(made.graph);
      let before: readonly StepState[] = made.graph.nodes.map(({ id }) => ({
        ...{ id, nodeId: id, round: 0, item: 0, status: 'pending', choice: null },
      }));
      const run = new FollowedRun(compiled, before);
      const shown = new Map(made.graph.links.map((link, at) => [link, run.states()[at]]));
      driveRun({
        compiled,
        task: taskOf(made),
        outcomeOf: (nodeId, round, item) => outcomeOf(made, nodeId, round, item),
        order,
        maxParallel,
        onChange(steps) {
          const known = new Map(before.map((step) => [step.id, JSON.stringify(step)]));
          before = structuredClone(steps);
          for (const [link, state] of run.change(before.filter((step) => known.get(step.id) !== JSON.stringify(step))).links)
            shown.set(link, state);
          expect([...shown.values()]).toEqual(new FollowedRun(compiled, steps).states());
        },
      });
    }),
    { numRuns: 60 },
  );
});
