import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { StepRun } from '../../../contract/executions/execution.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { nodesBounds } from '../../canvas/geometry/document-bounds.ts';
import { emptyRun, type RunState } from '../../model/workspace-state.ts';
import type { BenchGraph, BenchNode } from './bench-graph.ts';

const roles = ['ProjectManager', 'BusinessAnalyst', 'Developer', 'QA', 'TechnicalArchitect', 'DevOps', 'Backend', 'assistant'];
const statuses = ['pending', 'running', 'completed', 'failed'] as const;
const free = 0;

/** Converts a graph of the benchmark into a canvas of agents. */
export function benchDocument({ nodes, links }: BenchGraph): CanvasDocument {
  const document: CanvasDocument = { nodes: {}, connections: {} };
  for (const node of nodes) document.nodes[node.id] = card(node);
  for (const link of links) document.connections[link.id] = connection(link);
  return document;
}

/** Returns the canvas with its cards in this number of groups, which are as tiles over it. */
export function inGroups({ nodes, connections }: CanvasDocument, count: number): { document: CanvasDocument; groupIds: string[] } {
  const columns = Math.max(1, Math.round(Math.sqrt(count)));
  const rows = Math.ceil(count / columns);
  const { left, top, right, bottom } = nodesBounds(nodes) ?? { left: 0, top: 0, right: 1, bottom: 1 };
  const height = (bottom - top) / rows;
  const inLastRow = count - columns * (rows - 1);
  const document: CanvasDocument = { nodes: { ...nodes }, connections };
  const groupIds = Array.from({ length: count }, (_, i) => `group${i}`);
  for (const [i, id] of groupIds.entries()) {
    const row = Math.floor(i / columns);
    const width = (right - left) / (row === rows - 1 ? inLastRow : columns);
    const x = left + (i % columns) * width;
    document.nodes[id] = { id, type: 'group', title: id, x, y: top + row * height, width, height };
  }
  return { document, groupIds };
}

/** Returns the cards and links of a canvas as a graph of the benchmark. */
export function benchGraphOf({ nodes, connections }: CanvasDocument): BenchGraph {
  return {
    nodes: Object.values(nodes).map(({ id, title, x, y }) => ({ id, title, x, y, role: 2, status: free, desc: '' })),
    links: Object.values(connections).map(({ id, from, to }) => ({ id, source: from.agentId, target: to.agentId })),
  };
}

/** Returns the ended run whose states the benchmark's cards show, so that the canvas can be edited. Free cards took no part in it. */
export function benchRun({ nodes }: BenchGraph): RunState {
  return { ...emptyRun, steps: nodes.flatMap((node, i) => (node.status === free ? [] : [step(node, i)])) };
}

/** Returns an active run with one step, running since `startedAt` (ISO 8601). */
export function runOfOne(nodeId: string, startedAt: string): RunState {
  const only = step({ id: nodeId, title: '', desc: '', x: 0, y: 0, role: 2, status: statuses.indexOf('running') }, 0);
  return { ...emptyRun, phase: 'running', steps: [{ ...only, startedAt }] };
}

/** A run under way of all cards, in which these are at work, and the pipeline that it follows. */
export function runOfMany({ nodes, links }: BenchGraph, working: ReadonlySet<string>, at: string): { run: RunState; pipeline: Pipeline } {
  const moments = { createdAt: at, updatedAt: at };
  const pipeline: Pipeline = {
    id: 'bench',
    name: 'bench',
    description: '',
    projectId: 'bench',
    configuration: '{}',
    status: 'running',
    isDemo: false,
    maxExecutionTimeSeconds: null,
    maxParallel: 16,
    ...moments,
    steps: nodes.map(({ id, title }, orderIndex) => ({
      id,
      name: title,
      description: '',
      orderIndex,
      agentId: id,
      nodeId: id,
      timeoutSeconds: 1_800,
      type: 1,
    })),
    // Links back are no review loops, and those of a run lead forward.
    links: links
      .filter(({ source, target }) => number(source) < number(target))
      .map(({ id, source: from, target: to }) => ({ id, from, to })),
  };
  const run: RunState = {
    ...emptyRun,
    phase: 'running',
    execution: {
      id: 'bench',
      pipelineId: 'bench',
      projectId: 'bench',
      status: 'running',
      held: false,
      pauseRequested: false,
      initialTask: '',
      dialogNodeId: null,
      result: null,
      error: null,
      progress: 0,
      priority: 5,
      timeoutSeconds: 3_600,
      pauseBetweenStepsMs: 0,
      startedAt: at,
      completedAt: null,
      failedAt: null,
      lastSeq: 0,
      ...moments,
    },
    steps: nodes.map((node, orderIndex) => ({ ...step(node, orderIndex), ...atRest, ...(working.has(node.id) && atWork(at)) })),
  };
  return { run, pipeline };
}

const atRest = { status: 'pending', durationMs: null, usage: null, error: null } as const;

/** What a step of the benchmark is while it works. */
export function atWork(startedAt: string): Pick<StepRun, 'status' | 'startedAt'> {
  return { status: 'running', startedAt };
}

/** The number of a card in the benchmark's graph. */
function number(id: string): number {
  return Number(id.slice(1));
}

function card({ id, x, y, role, title, desc, kind }: BenchNode): CanvasNode {
  if (kind === 'dialog') return { id, type: kind, title, goal: desc, x, y };
  if (kind) return { id, type: kind, title, description: desc, x, y };
  return { id, type: 'agent', title, description: desc, role: roles[role % roles.length] as string, x, y, serverAgentId: id };
}

function connection({ id, source, target }: BenchGraph['links'][number]): Connection {
  return { id, from: { agentId: source, port: 'out' }, to: { agentId: target, port: 'in' } };
}

function step({ id, title, role, status }: BenchNode, orderIndex: number): StepRun {
  const state = statuses[status % statuses.length] as (typeof statuses)[number];
  return {
    stepId: id,
    orderIndex,
    name: title,
    agentId: id,
    nodeId: id,
    role: roles[role % roles.length] as string,
    status: state,
    attempts: 1,
    // Without a start time the card shows no clock, so nothing changes by itself while the canvas is measured.
    startedAt: null,
    completedAt: null,
    durationMs: state === 'running' ? null : 41_000,
    provider: 'simulated',
    model: null,
    simulated: true,
    usage: state === 'completed' ? { promptTokens: 900, completionTokens: 220, totalTokens: 1_120 } : null,
    result: null,
    error: state === 'failed' ? { code: 'model_timeout', message: '' } : null,
  };
}
