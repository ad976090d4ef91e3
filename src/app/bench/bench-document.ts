import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { StepRun } from '../../../contract/execution.ts';
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

/** Returns the ended run whose states the benchmark's cards show, so that the canvas can be edited. Free cards took no part in it. */
export function benchRun({ nodes }: BenchGraph): RunState {
  return { ...emptyRun, steps: nodes.flatMap((node, i) => (node.status === free ? [] : [step(node, i)])) };
}

/** Returns an active run with one step, running since `startedAt` (ISO 8601). */
export function runOfOne(nodeId: string, startedAt: string): RunState {
  const only = step({ id: nodeId, title: '', desc: '', x: 0, y: 0, role: 2, status: statuses.indexOf('running') }, 0);
  return { ...emptyRun, phase: 'running', steps: [{ ...only, startedAt }] };
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
