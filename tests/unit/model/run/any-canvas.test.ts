import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { parallelByBranches } from '../../../../contract/executions/parallel-steps.ts';
import { isStepCard } from '../../../../rules/card.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { runGraphOf } from '../../../../rules/run-graph/run-graph-of.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { parallelLimit } from '../../../../src/model/run/plan/parallel-limit.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { pipelineOf } from '../../../../src/model/run/plan/run-payloads.ts';
import { isStep } from '../../../../src/model/run/plan/run-scope.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import type { RunStarters } from '../../../../src/model/run/starters/starters-of.ts';
import { startersThen } from '../../../../src/model/run/starters/starters-then.ts';
import { anyCanvas } from '../../../support/drawings/any-canvas.ts';
import { agentNode, agentOf, documentOf, link } from '../../../support/engine/samples.ts';
import { driveRun } from '../../../support/run-graph/drive-run.ts';
import { numberFrom, type Outcome } from '../../../support/run-graph/random-run.ts';

/** A loop leads back to a card of a list, and its rounds are used up: the next round begins with the list, and the last one hands on. */
const listBehindLoop = documentOf(
  [
    ...['a', 'b', 'c', 'd'].map((id, at) => agentNode(id, agentOf(at + 1, id, 'Developer'), at * 400, 0)),
    { id: 'list', type: 'group', title: 'list', x: 350, y: -50, width: 400, height: 300, forEach: { onFailure: 'skip' } },
  ],
  [link('a', 'b'), link('b', 'c'), link('c', 'd'), { ...link('c', 'b'), run: { maxRounds: 2 } }],
);

test('D1.03 on any canvas that can run, the cards that are shown as taking part are those that the engine carries out or skips', () => {
  let ran = 0;
  fc.assert(
    fc.property(anyCanvas, fc.constantFrom(parallelByBranches, 1, 4), fc.string(), (document, parallelSteps, seed) => {
      if (runsAsShown(document, foreseenStarters(document, {}), { parallelSteps, seed })) ran += 1;
    }),
    {
      numRuns: 500,
      examples: [
        [listBehindLoop, 4, ''],
        [listBehindLoop, parallelByBranches, ''],
      ],
    },
  );
  expect(ran).toBeGreaterThan(100);
});

test('D1.03 D4.28 the cards that are shown as taking part are right for a run that begins with a card, its fork, and the next run after it', () => {
  let ran = 0;
  fc.assert(
    fc.property(anyCanvas, fc.nat(7), fc.constantFrom(parallelByBranches, 1, 4), fc.string(), (document, at, parallelSteps, seed) => {
      const cards = Object.values(document.nodes).filter(isStep);
      const card = cards[at % cards.length];
      if (!card) return;
      const first = runsAsShown(document, { dialog: null, starts: [card] }, { parallelSteps, seed });
      if (!first) return;
      ran += 1;
      expect(first.steps.map(({ nodeId }) => nodeId)).toContain(card.id);
      const nodeIds = new Set(first.steps.map(({ nodeId }) => nodeId));
      const { dialog, starts } = startersThen(document, { dialogNodeId: null, nodeIds, begunWith: first.begunWith, configuration: null });
      const forked = runsAsShown(document, { dialog, starts }, { parallelSteps, seed });
      expect(forked).toEqual(first);
      runsAsShown(document, foreseenStarters(document, {}, null), { parallelSteps, seed });
    }),
    { numRuns: 500 },
  );
  expect(ran).toBeGreaterThan(100);
});

/** Compares what is shown before a run with what it does; returns its plan, or null for a canvas that cannot run. */
function runsAsShown(document: CanvasDocument, starters: RunStarters, { parallelSteps, seed }: { parallelSteps: number; seed: string }) {
  const { leftOutNodes, leftOutLinks, taking, hasBranches } = participationOf(document, starters);
  const planned = planPipeline(document, agentsOf(document), starters.dialog, { parallelSteps, starts: starters.starts });
  if (!planned.ok) return null;
  const leftOut = new Set(leftOutNodes);
  const shown = Object.values(document.nodes).filter((node) => isStepCard(node) && !leftOut.has(node.id));
  const { steps, graph } = planned.plan;
  expect(steps.map(({ nodeId }) => nodeId).toSorted()).toEqual(shown.map(({ id }) => id).toSorted());
  expect(taking).toBe(steps.length);
  if (parallelSteps === parallelByBranches) expect(graph?.maxParallel ?? 1).toBe(parallelLimit(parallelSteps, hasBranches));
  if (!graph) return planned.plan;
  const followed = graph.links.flatMap(({ id }) => (Object.hasOwn(document.connections, id) ? [id] : []));
  expect(followed.filter((id) => leftOutLinks.includes(id))).toEqual([]);
  // What the server makes of the pipeline. Null: all of its steps run, one after another.
  const { configuration } = pipelineOf(planned.plan, 'project', 'Project');
  const stored = steps.map(({ nodeId, settings, groupId }) => ({ id: nodeId, nodeId, settings, groupId }));
  const made = runGraphOf({ ...graph, steps: stored, configuration });
  if (!made) return planned.plan;
  expect([made.maxParallel, made.groups.length]).toEqual([graph.maxParallel, graph.groups.length]);
  const compiled = compileRunGraph(made);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const driven = driveRun({ compiled: compiled.compiled, outcomeOf: outcomeFrom(seed, document), order: seed, maxParallel: 4 });
  if (driven.failure === null) expect(new Set(driven.steps.map(({ nodeId }) => nodeId))).toEqual(new Set(shown.map(({ id }) => id)));
  return planned.plan;
}

function agentsOf({ nodes }: CanvasDocument) {
  return Object.values(nodes).flatMap(({ serverAgentId, isUser }: CanvasNode, at) =>
    serverAgentId && !isUser ? [{ ...agentOf(at + 1, `agent ${at}`, 'Developer'), id: serverAgentId }] : [],
  );
}

function outcomeFrom(seed: string, { connections }: CanvasDocument) {
  return (nodeId: string, round: number, item: number): Outcome => {
    const key = `${seed} ${nodeId} ${round} ${item}`;
    const labels = Object.values(connections).flatMap(({ from, run }) => (from.agentId === nodeId && run?.label) || []);
    const choices = [null, ...labels];
    return {
      status: numberFrom(`${key} status`, 10) === 0 ? 'failed' : 'completed',
      choice: choices[numberFrom(`${key} choice`, choices.length)] ?? null,
      result: ['1. one', '2. two'].slice(0, numberFrom(`${key} items`, 3)).join('\n') || '[]',
    };
  };
}
