import type { Agent } from '../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../contract/canvas.ts';
import { mostSteps } from '../../contract/pipeline.ts';
import { isAgentCard, nameOf } from '../../rules/card.ts';
import { validateDocument } from '../../rules/validate-document.ts';
import { matchServerAgents } from './match-server-agents.ts';
import { orderCards } from './order-cards.ts';
import type { Problem } from './problem.ts';
import { resolveDialogTarget } from './resolve-dialog-target.ts';

type PlannedStep = { nodeId: string; agentId: string; title: string; description: string };

export type PipelinePlan = {
  /** In the order in which the agents work. */
  steps: PlannedStep[];
  dialog: CanvasNode | null;
  /** The links between the cards that take part. */
  connections: Connection[];
  /** What does not stop the run and is worth saying: skipped cards, links that lead back. */
  warnings: Problem[];
};

type Planned = { ok: true; plan: PipelinePlan } | { ok: false; problems: Problem[] };

/**
 * Turns the canvas into the pipeline of a run, or says everything that stands in its way. A dialog's run holds the agents
 * reachable along links from it, or from its target when it leads to none; without a dialog all agents take part, those
 * without links last. Cards that stand for no valid agent are skipped with a warning. W5.03
 */
export function planPipeline(document: CanvasDocument, agents: readonly Agent[], dialog: CanvasNode | null): Planned {
  const cards = Object.values(document.nodes).filter(isAgentCard);
  if (cards.length === 0) return stopped({ code: dialog ? 'pipeline.noAgents' : 'run.noAgents' });

  const target = dialog && resolveDialogTarget(document, dialog);
  if (dialog && !target) return stopped({ code: 'dialog.noTarget', params: { dialog: nameOf(dialog) } });

  const ids = taking(document, dialog, target);
  const order = orderCards(document, ids, target?.id ?? null);
  const inTurn = dialog ? order.nodes : linkedFirst(document, order.nodes);

  const matches = matchServerAgents(document, agents);
  const matched = withMatches(document, ids, dialog, matches);
  const problems = validateDocument(matched, agents).filter((problem) => problem.severity === 'error' && !skipped.has(problem.code));
  if (problems.length > 0) return { ok: false, problems: problems.map(({ code, params }) => (params ? { code, params } : { code })) };

  const warnings: Problem[] = order.backward.map((id) => backwardLink(document, id));
  const steps: PlannedStep[] = [];
  for (const node of inTurn.filter(isAgentCard)) {
    const agentId = matches.get(node.id);
    if (!agentId || !(node.title.trim() || node.name?.trim())) warnings.push({ code: 'agent.skipped', params: { agent: nameOf(node) } });
    else steps.push({ nodeId: node.id, agentId, title: nameOf(node), description: node.description ?? '' });
  }
  if (steps.length === 0) return stopped({ code: 'run.noValidAgents' });
  if (steps.length > mostSteps) return stopped({ code: 'run.tooManySteps', params: { steps: steps.length, most: mostSteps } });
  const connections = Object.values(document.connections).filter((link) => isWithin(link, ids, dialog));
  return { ok: true, plan: { steps, dialog, connections, warnings } };
}

/** Broken rules for which a card is skipped rather than the run stopped. */
const skipped = new Set(['agent.titleMissing', 'agent.serverIdMissing']);

function stopped(problem: Problem): Planned {
  return { ok: false, problems: [problem] };
}

/** Ids of the cards that take part, people and triggers on the way included; the dialog itself is not one of them. */
function taking(document: CanvasDocument, dialog: CanvasNode | null, target: CanvasNode | null): Set<string> {
  if (!dialog || !target) return new Set(Object.keys(document.nodes));
  const next = new Map<string, string[]>();
  for (const { from, to } of Object.values(document.connections)) {
    const known = next.get(from.agentId);
    if (known) known.push(to.agentId);
    else next.set(from.agentId, [to.agentId]);
  }
  const ids = reachable(next, next.get(dialog.id) ?? [], dialog.id, document);
  const holdsAgents = [...ids].some((id) => isAgentCard(document.nodes[id] as CanvasNode));
  const chosen = dialog.targetAgentId !== undefined && !ids.has(target.id);
  if (!holdsAgents || chosen) for (const id of reachable(next, [target.id], dialog.id, document)) ids.add(id);
  return ids;
}

function reachable(next: ReadonlyMap<string, string[]>, from: readonly string[], dialogId: string, document: CanvasDocument): Set<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === dialogId || seen.has(id) || !Object.hasOwn(document.nodes, id)) continue;
    seen.add(id);
    open.push(...(next.get(id) ?? []));
  }
  return seen;
}

/** The same order, those without links last. */
function linkedFirst(document: CanvasDocument, cards: readonly CanvasNode[]): CanvasNode[] {
  const linked = new Set<string>();
  for (const { from, to } of Object.values(document.connections)) linked.add(from.agentId).add(to.agentId);
  return [...cards.filter(({ id }) => linked.has(id)), ...cards.filter(({ id }) => !linked.has(id))];
}

/** The part of the document that the run is about, each agent's card with the server agent found for it. */
function withMatches(
  document: CanvasDocument,
  ids: ReadonlySet<string>,
  dialog: CanvasNode | null,
  matches: ReadonlyMap<string, string>,
): CanvasDocument {
  const nodes: Record<string, CanvasNode> = {};
  for (const id of ids) {
    const node = document.nodes[id] as CanvasNode;
    if (node.type !== 'agent' || node.isUser) continue;
    const serverAgentId = matches.get(id);
    nodes[id] = serverAgentId && serverAgentId !== node.serverAgentId ? { ...node, serverAgentId } : node;
  }
  if (dialog) nodes[dialog.id] = dialog;
  const connections: Record<string, Connection> = {};
  for (const id in document.connections) {
    const link = document.connections[id] as Connection;
    if (Object.hasOwn(nodes, link.from.agentId) && Object.hasOwn(nodes, link.to.agentId)) connections[id] = link;
  }
  return { nodes, connections };
}

function backwardLink(document: CanvasDocument, id: string): Problem {
  const link = document.connections[id];
  const name = (nodeId: string | undefined) => {
    const node = nodeId ? document.nodes[nodeId] : undefined;
    return node ? nameOf(node) : '';
  };
  return { code: 'link.backward', params: { from: name(link?.from.agentId), to: name(link?.to.agentId) } };
}

function isWithin({ from, to }: Connection, ids: ReadonlySet<string>, dialog: CanvasNode | null): boolean {
  return ids.has(to.agentId) && (ids.has(from.agentId) || from.agentId === dialog?.id);
}
