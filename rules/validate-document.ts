import { type Agent, agentStatuses } from '../contract/agent.ts';
import { type CanvasNode, nodeTypes } from '../contract/canvas.ts';
import { isAgentCard, isAnnotation, nameOf } from './card.ts';

/** A broken rule: a code that the locales know, what its sentence needs, and the card or link it is about. */
export type ValidationProblem = {
  severity: 'error' | 'warning';
  code: string;
  params?: Record<string, string | number>;
  nodeId?: string;
  connectionId?: string;
};

/** A document whose links may be anything: they also come from texts that others wrote. */
type UncheckedDocument = { nodes: Record<string, CanvasNode>; connections: Record<string, UncheckedLink> };
export type UncheckedLink = { id: string; from?: LinkEnd | undefined; to?: LinkEnd | undefined };
type LinkEnd = { agentId?: string | undefined; port?: string | undefined };

/** What must be known of a server agent. */
type KnownAgent = Pick<Agent, 'id' | 'status'>;

/**
 * Returns every rule that the document breaks, errors before warnings, each once and with the node or link it is about.
 * Without a list of server agents nothing is said about them. Warnings never stop a run. W5.04 W5.05
 */
export function validateDocument(document: UncheckedDocument, agents: readonly KnownAgent[] | null): ValidationProblem[] {
  const problems = [...nodeProblems(document, agents), ...connectionProblems(document)];
  return [...problems.filter((problem) => problem.severity === 'error'), ...problems.filter((problem) => problem.severity === 'warning')];
}

function* nodeProblems({ nodes }: UncheckedDocument, agents: readonly KnownAgent[] | null): Generator<ValidationProblem> {
  const byId = agents && new Map(agents.map((agent) => [agent.id, agent]));
  const ids = new Set<string>();
  const cardOfAgent = new Map<string, string>();
  for (const [key, node] of Object.entries(nodes)) {
    const say = speaker({ nodeId: key });
    const name = nameOf(node);
    if (!node.id) yield say('error', 'node.idMissing', { name });
    else if (ids.has(node.id)) yield say('error', 'node.idTwice', { id: node.id });
    ids.add(node.id);
    if (!nodeTypes.includes(node.type)) yield say('error', 'node.typeUnknown', { name, type: String(node.type) });
    if (!Number.isFinite(node.x) || !Number.isFinite(node.y)) yield say('error', 'node.placeMissing', { name });
    if (node.type === 'start' && !hasTitle(node)) yield say('error', 'start.titleMissing');
    if (node.type === 'dialog') {
      if (!hasTitle(node)) yield say('error', 'dialog.titleMissing');
      if (!node.goal?.trim()) yield say('error', 'dialog.goalMissing', { name });
    }
    if (node.type !== 'agent') continue;
    if (!hasTitle(node) && !node.name) yield say('error', 'agent.titleMissing', { id: node.id });
    if (!node.color) yield say('warning', 'agent.colorMissing', { name });
    if (!isAgentCard(node)) continue;
    const agentId = node.serverAgentId;
    if (!agentId) {
      yield say('error', 'agent.serverIdMissing', { name });
      continue;
    }
    if (cardOfAgent.has(agentId)) yield say('error', 'agent.serverIdTwice', { name, other: cardOfAgent.get(agentId) as string });
    else cardOfAgent.set(agentId, name);
    if (agentId !== node.id) yield say('warning', 'agent.idDiffers', { name });
    const agent = byId?.get(agentId);
    if (byId && !agent) yield say('error', 'agent.serverMissing', { name });
    else if (agent && agent.status !== agentStatuses.active) yield say('warning', 'agent.notActive', { name });
  }
}

function* connectionProblems({ nodes, connections }: UncheckedDocument): Generator<ValidationProblem> {
  const ids = new Set<string>();
  const pairs = new Set<string>();
  for (const [key, link] of Object.entries(connections)) {
    const say = speaker({ connectionId: key });
    const from = link.from?.agentId;
    const to = link.to?.agentId;
    if (link.id && ids.has(link.id)) yield say('error', 'link.idTwice', { id: link.id });
    ids.add(link.id);
    if (!from || !Object.hasOwn(nodes, from)) yield say('error', 'link.sourceMissing');
    if (!to || !Object.hasOwn(nodes, to)) yield say('error', 'link.targetMissing');
    if (link.from?.port !== 'out') yield say('error', 'link.fromPortWrong');
    if (link.to?.port !== 'in') yield say('error', 'link.toPortWrong');
    if (!from || !to) continue;
    if ([from, to].some((id) => Object.hasOwn(nodes, id) && isAnnotation(nodes[id] as CanvasNode))) yield say('error', 'link.annotation');
    if (from === to) yield say('error', 'link.self');
    const pair = JSON.stringify([from, to]);
    if (pairs.has(pair)) yield say('error', 'link.duplicate');
    pairs.add(pair);
  }
}

type Place = Pick<ValidationProblem, 'nodeId' | 'connectionId'>;

function speaker(place: Place) {
  return (severity: 'error' | 'warning', code: string, params?: Record<string, string>): ValidationProblem => ({
    severity,
    code,
    ...(params && { params }),
    ...place,
  });
}

function hasTitle(node: CanvasNode): boolean {
  return Boolean(node.title?.trim() || node.titleKey);
}
