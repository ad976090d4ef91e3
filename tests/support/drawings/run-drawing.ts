import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { compileRunGraph } from '../../../rules/run-graph/compile-run-graph.ts';
import type { RunGraph } from '../../../rules/run-graph/run-graph.ts';
import { type PipelinePlan, planPipeline } from '../../../src/model/run/plan/pipeline-plan.ts';
import { type Driven, driveRun } from '../run-graph/drive-run.ts';
import type { Outcome } from '../run-graph/random-run.ts';
import { type Expected, keyOf, referenceRun } from '../run-graph/reference-run.ts';
import { blocksOf, type Expectation } from './drawing.ts';

/** What the rules and the reference run make of a drawing's run, with the drawing's answers. */
type RanDrawing = { driven: Driven; reference: Expected };

export function planDrawing(document: CanvasDocument, agents: readonly Agent[]) {
  return planPipeline(document, agents, document.nodes.task as CanvasNode, { parallelSteps: 4 });
}

/** Runs a plan one step at a time. */
export function runDrawing(plan: PipelinePlan, expectation: Expectation): RanDrawing {
  const { steps, graph: links } = plan;
  if (!links) throw new Error('The run follows no links.');
  const nodes = steps.map(({ nodeId, settings, groupId }) => ({ id: nodeId, ...settings, ...(groupId !== undefined && { groupId }) }));
  const graph: RunGraph = { nodes, links: links.links, groups: links.groups, maxParallel: links.maxParallel };
  const compiled = compileRunGraph(graph);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const outcomeOf = answersOf(expectation);
  return {
    driven: driveRun({ compiled: compiled.compiled, outcomeOf, order: '', maxParallel: 1 }),
    reference: referenceRun({ graph, blocks: blocksOf(expectation.blocks ?? []), seed: 0 }, outcomeOf),
  };
}

/** Answers by the card, or by one of its runs. */
function answersOf({ answers = {}, fails = [], items = {} }: Expectation) {
  const byRun = new Map(Object.entries(answers).map(([name, answer]) => [runKey(name), answer]));
  return (nodeId: string, round: number, item: number): Outcome => ({
    status: fails.includes(nodeId) ? 'failed' : 'completed',
    choice: byRun.get(keyOf(nodeId, round, item)) ?? answers[nodeId] ?? null,
    result: items[nodeId]?.map((text, at) => `${at + 1}. ${text}`).join('\n') ?? nodeId,
  });
}

/** The key of a run by its name: rounds are digits, the outermost loop first. */
export function runKey(name: string): string {
  const [, card = name, rounds = '0', item = '0'] = /^(.*?)(?: r([\d.]+))?(?: i(\d+))?$/.exec(name) ?? [];
  const round = rounds.split('.').reduce((sum, digit) => sum * 32 + Number(digit), 0);
  return keyOf(card, round, Number(item));
}
