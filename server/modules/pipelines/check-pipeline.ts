import { z } from 'zod';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { nameOf } from '../../../rules/card.ts';
import { CheckedDocument, type UncheckedLink, type ValidationProblem } from '../../../rules/checked-document.ts';
import type { ThreadTask } from '../../platform/processes/compute-thread.ts';
import { graphProblems } from './graph-problems.ts';

type Finding = Pick<ValidationProblem, 'severity' | 'code' | 'params'> & { nodeId: string | null };

/**
 * Returns every rule that a stored pipeline breaks, errors before warnings. Checks its steps, the links of its configuration, and
 * the nodes of the project's canvas that steps and links name. A step whose node was removed is checked by itself.
 */
export function checkPipeline(
  pipeline: Pipeline,
  agents: readonly Pick<Agent, 'id' | 'status'>[],
  canvas: Pick<CanvasDocument, 'nodes'>,
): Finding[] {
  const { steps, configuration } = pipeline;
  const { links, readable } = linksOf(configuration);
  const cards = new Map(steps.map((step) => [step.nodeId ?? step.id, step]));
  const named = links.flatMap(({ from, to }) => [from?.agentId ?? '', to?.agentId ?? '']);
  const nodes = new Map<string, CanvasNode>();
  for (const id of [...cards.keys(), ...named]) {
    const card = Object.hasOwn(canvas.nodes, id) ? canvas.nodes[id] : undefined;
    const step = cards.get(id);
    if (card) nodes.set(id, step ? cardOfStep(card, step.agentId) : card);
    else if (step) nodes.set(id, { id, type: 'agent', title: step.name, serverAgentId: step.agentId, x: 0, y: 0 });
  }
  const broken = new CheckedDocument(
    agents,
    nodes,
    links.map((link, index) => [String(index), link] as const),
  )
    .problems()
    // Rules about nodes do not apply to a step without one.
    .filter(({ code, nodeId }) => !ofCards.has(code) || (nodeId !== undefined && Object.hasOwn(canvas.nodes, nodeId)))
    .map(({ nodeId, connectionId, ...problem }) => ({ ...problem, nodeId: nodeId ?? nodeAt(links[Number(connectionId)], nodes) }));

  const own: Finding[] = steps.flatMap((step) => missingCard(step, canvas));
  const repeated = stepsOfOneCard(steps);
  const unreadable: Finding[] = readable ? [] : [{ severity: 'error', code: 'pipeline.configurationUnreadable', nodeId: null }];
  const graph: Finding[] = graphProblems(pipeline).map((problem) => ({ severity: 'error', ...problem }));
  const all = [...unreadable, ...repeated, ...graph, ...broken, ...own, ...linksBack(links, steps, nodes)];
  return [...all.filter(({ severity }) => severity === 'error'), ...all.filter(({ severity }) => severity === 'warning')];
}

/** The card of a step, which a pipeline runs also where the card was disabled later. */
function cardOfStep({ disabled: _disabled, ...card }: CanvasNode, serverAgentId: string): CanvasNode {
  return { ...card, serverAgentId };
}

/** The most problems of a kind that are listed. */
export const maxProblems = 200;

type CheckInput = { pipeline: Pipeline; agents: Pick<Agent, 'id' | 'status'>[]; nodes: CanvasDocument['nodes'] };

/** Returns the problems of `checkPipeline` that are listed. A task of `ComputeThread`. */
export function listProblems({ pipeline, agents, nodes }: CheckInput): Finding[] {
  const all = checkPipeline(pipeline, agents, { nodes });
  return (['error', 'warning'] as const).flatMap((kind) => all.filter(({ severity }) => severity === kind).slice(0, maxProblems));
}

export const checkTask: ThreadTask<CheckInput, Finding[]> = {
  module: new URL('./check-pipeline.ts', import.meta.url),
  name: 'listProblems',
  compute: listProblems,
};

const ofCards = new Set(['agent.colorMissing', 'agent.idDiffers']);

const end = z.object({ agentId: z.string().optional().catch(undefined), port: z.string().optional().catch(undefined) });
const link = z.object({ id: z.string().catch(''), from: end.optional().catch(undefined), to: end.optional().catch(undefined) });
const configured = z.object({ connections: z.array(link.catch({ id: '' })).default([]) });

/** Parses the links of a pipeline's configuration, which is an untrusted text. */
function linksOf(configuration: string): { links: UncheckedLink[]; readable: boolean } {
  try {
    const { connections } = configured.parse(JSON.parse(configuration));
    return { links: connections, readable: true };
  } catch {
    return { links: [], readable: false };
  }
}

function missingCard({ nodeId, agentId, name }: Pipeline['steps'][number], canvas: Pick<CanvasDocument, 'nodes'>): Finding[] {
  if (nodeId === null) return [];
  const card = Object.hasOwn(canvas.nodes, nodeId) ? canvas.nodes[nodeId] : undefined;
  if (!card) return [{ severity: 'warning', code: 'step.cardMissing', params: { name }, nodeId }];
  const other = card.serverAgentId !== undefined && card.serverAgentId !== agentId;
  return other ? [{ severity: 'warning', code: 'step.agentDiffers', params: { name: nameOf(card) }, nodeId }] : [];
}

function stepsOfOneCard(steps: Pipeline['steps']): Finding[] {
  const seen = new Set<string>();
  return steps.flatMap(({ nodeId }) => {
    if (nodeId === null || !seen.has(nodeId)) {
      seen.add(nodeId ?? '');
      return [];
    }
    return [{ severity: 'error', code: 'node.idTwice', params: { id: nodeId }, nodeId }];
  });
}

/** Returns the links whose second step runs first, so that nothing is passed along them. */
function linksBack(links: readonly UncheckedLink[], steps: Pipeline['steps'], nodes: ReadonlyMap<string, CanvasNode>): Finding[] {
  const places = new Map(steps.map(({ nodeId, id, orderIndex }) => [nodeId ?? id, orderIndex]));
  const name = (id: string) => {
    const node = nodes.get(id);
    return node ? nameOf(node) : id;
  };
  return links.flatMap(({ from, to }) => {
    const [source, target] = [from?.agentId ?? '', to?.agentId ?? ''];
    const back = (places.get(source) ?? -1) > (places.get(target) ?? Number.POSITIVE_INFINITY);
    const params = { from: name(source), to: name(target) };
    return back ? [{ severity: 'warning', code: 'link.backward', params, nodeId: source }] : [];
  });
}

/** Returns the node at which a link's problem is shown: its start, else its end. */
function nodeAt(about: UncheckedLink | undefined, nodes: ReadonlyMap<string, CanvasNode>): string | null {
  const ends = [about?.from?.agentId, about?.to?.agentId];
  return ends.find((id) => id !== undefined && nodes.has(id)) ?? null;
}
