import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import {
  type FlowCase,
  type FlowLink,
  type FlowNode,
  type FlowTemplate,
  projectFlows,
  teamRoles,
} from '../../../contract/flow-templates.ts';
import { kindOf, type OfferedType } from '../../../rules/node-kinds.ts';
import { availableAgents } from '../agents/available-agents.ts';
import { roleHue, userHue } from '../agents/roles.ts';
import type { PlaceableItem } from '../commands.ts';
import { failed, type Outcome } from '../problem.ts';
import { type Box, boundsOf } from './annotations.ts';
import { clampToCanvas, findFreePlace, type Point } from './auto-placement.ts';
import { nodeSize, type Size } from './node-size.ts';

/** Texts of a new node, in the user's language. */
export type NodeTexts = Record<OfferedType, string> & {
  goal: string;
  group: string;
  /** The title of a group that works through a list. */
  forEach: string;
  person: string;
  approval: string;
  case: Record<FlowCase, string>;
};

export type PlacingContext = {
  nodes: Record<string, CanvasNode>;
  agents: { byId: Record<string, Agent>; order: readonly string[] };
  texts: NodeTexts;
  newId: () => string;
  /** The agents that were made for copies, by the ids of the copied cards. */
  made?: ReadonlyMap<string, Agent>;
};

/**
 * An agent that a card lacks: a copy of the agent `copyOf`, else one with the words of the card `card`. With both the copy has the title of the card. `of`: the
 * card that is copied.
 */
export type WantedAgent = { copyOf?: string; card?: CanvasNode; of?: string };

export type PlacedCards = {
  nodes: CanvasNode[];
  links: { from: string; to: string; run?: LinkSettings }[];
  /** Titles of the nodes without a server agent. */
  unmatched: string[];
  /** The agents that the unmatched nodes lack. */
  wanted?: WantedAgent[];
  /** Roles of the skipped nodes, for which the menu has no agent. */
  skipped: string[];
};

/**
 * Converts a menu item into nodes: at `at` (world px, clamped to ±10000), else at the next free place. Refuses a position that is not
 * finite, an unknown item, and an agent without a free one left. A flow is never refused for its counts. W5.02
 */
export function placeItem(item: PlaceableItem, at: Point | undefined, context: PlacingContext): Outcome<PlacedCards> {
  if (at && !(Number.isFinite(at.x) && Number.isFinite(at.y))) return failed('drop.notFinite');
  const { newId, texts } = context;
  switch (item.kind) {
    case 'agent':
      return placeAgent(item.agentId, at, context);
    case 'note':
      return placed(at, context, { id: newId(), type: 'note', title: '' });
    case 'user': {
      const id = newId();
      const { title, key, about, hue } = item;
      return placed(at, context, {
        id,
        type: 'agent',
        title,
        name: key,
        role: 'user',
        isUser: true,
        serverAgentId: id,
        color: { background: hue, border: hue },
        step: { person: personAsking(texts) },
        ...(about !== undefined && { description: about }),
      });
    }
    case 'flow': {
      const template = projectFlows.find((candidate) => candidate.id === item.templateId);
      return template ? { ok: true, value: placeFlow(template, at, context) } : failed('flow.unknown');
    }
    default:
      return placed(at, context, { id: newId(), ...offeredNode(item.kind, texts) });
  }
}

/** The content of a node of a type that is offered as it is. */
export function offeredNode(type: OfferedType, texts: NodeTexts): Omit<CanvasNode, 'id' | 'x' | 'y'> {
  return { type, title: texts[type], ...(kindOf({ type }).missing?.goal !== undefined && { goal: texts.goal }) };
}

/** The settings of a card that asks for approval. Its button leads on, or ends the way where no link has it. */
export function personAsking({ approval, case: { approve } }: NodeTexts) {
  return { question: approval, inputs: [], buttons: [approve] };
}

function placeAgent(agentId: string, at: Point | undefined, context: PlacingContext): Outcome<PlacedCards> {
  const wanted = context.agents.byId[agentId];
  if (!wanted) return failed('agent.notFound', { id: agentId, available: context.agents.order.length });
  const free = availableAgents(context.agents, context.nodes);
  const agent = free.find((candidate) => candidate.id === agentId) ?? free.find((candidate) => candidate.role === wanted.role);
  if (!agent) return failed('agent.noneLeft', { agent: wanted.title });
  return placed(at, context, { id: context.newId(), ...cardOfAgent(agent) });
}

/**
 * A node whose agent is not in the menu is skipped, and its predecessors are linked to its successors, so that the flow stays
 * connected. A node whose agents are all in use is placed without an agent. W3.02
 */
function placeFlow(template: FlowTemplate, at: Point | undefined, context: PlacingContext): PlacedCards {
  const base = at ?? findFreePlace(context.nodes, sizeOfFlow(template));
  const free = availableAgents(context.agents, context.nodes);
  const ids = new Map<string, string>();
  const wanted: WantedAgent[] = [];
  const result: PlacedCards = { nodes: [], links: [], unmatched: [], wanted, skipped: [] };
  let connections = template.connections;
  for (const card of template.agents) {
    const content = contentOf(card, free, context);
    if ('missing' in content) {
      result.skipped.push(content.missing);
      connections = withoutCard(connections, card.id);
      continue;
    }
    const id = context.newId();
    ids.set(card.id, id);
    if ('unmatched' in content) {
      result.unmatched.push(content.unmatched.title);
      wanted.push({ copyOf: content.unmatched.id });
    }
    result.nodes.push({ id, ...content.card(id), ...clampToCanvas({ x: base.x + card.x, y: base.y + card.y }) });
  }
  result.links = connections.map((link) => ({
    from: ids.get(link.from) as string,
    to: ids.get(link.to) as string,
    ...((link.case || link.run) && { run: { ...(link.case && { label: context.texts.case[link.case] }), ...link.run } }),
  }));
  return result;
}

type CardOf = (id: string) => Omit<CanvasNode, 'id' | 'x' | 'y'>;

/** Returns the content of a node in a flow or a pattern, and takes its agent out of `free`. */
export function contentOf(
  card: FlowNode,
  free: Agent[],
  { agents, texts }: PlacingContext,
): { card: CardOf } | { card: CardOf; unmatched: Agent } | { missing: string } {
  if (card.type === 'person') {
    const { buttons: _ofLinks, ...person } = personAsking(texts);
    const color = { background: userHue(undefined), border: userHue(undefined) };
    return {
      card: (id) => ({
        type: 'agent',
        title: texts.person,
        role: 'user',
        isUser: true,
        serverAgentId: id,
        color,
        step: { person },
      }),
    };
  }
  if (card.type !== 'agent') return { card: () => offeredNode(card.type, texts) };
  const role = teamRoles[card.agent];
  const fits = ({ name, role: other }: Agent) => name === card.agent || other === role;
  const index = free.findIndex(fits);
  const agent = index < 0 ? undefined : free.splice(index, 1)[0];
  if (agent) return { card: () => cardOfAgent(agent) };
  const known = Object.values(agents.byId).find(fits);
  if (!known) return { missing: role };
  const { title, description } = known;
  return { card: (id) => ({ type: 'agent', title, name: card.agent, role, description, serverAgentId: id }), unmatched: known };
}

/**
 * Removes a skipped card from a flow's links, and links its predecessors to its successors. If a predecessor loses one of its cases, its
 * other links become plain links, and its review loop is removed.
 */
function withoutCard(connections: readonly FlowLink[], id: string): FlowLink[] {
  const before = connections.filter(({ to }) => to === id);
  const after = connections.filter(({ from }) => from === id);
  const forward = before.filter(({ run }) => run?.maxRounds === undefined);
  const around = forward.flatMap(({ from }) => after.map(({ to }) => ({ from, to }))).filter(({ from, to }) => from !== to);
  const undecided = new Set(before.flatMap((link) => (link.case ? [link.from] : [])));
  const others = connections.filter(
    ({ from, to, run }) => from !== id && to !== id && !(undecided.has(from) && run?.maxRounds !== undefined),
  );
  return [...others.map((link) => (undecided.has(link.from) ? { from: link.from, to: link.to } : link)), ...around];
}

function placed(at: Point | undefined, context: PlacingContext, card: Omit<CanvasNode, 'x' | 'y'>): Outcome<PlacedCards> {
  const place = at ? clampToCanvas(at) : findFreePlace(context.nodes, nodeSize(card));
  return { ok: true, value: { nodes: [{ ...card, ...place }], links: [], unmatched: [], skipped: [] } };
}

/** Returns the content of a node from its server agent; texts are cut to the node's limits. */
export function cardOfAgent(agent: Agent): Omit<CanvasNode, 'id' | 'x' | 'y'> {
  return {
    type: 'agent',
    title: agent.title,
    name: agent.name.slice(0, 200),
    description: agent.description,
    role: agent.role,
    color: { background: roleHue(agent.role), border: roleHue(agent.role) },
    serverAgentId: agent.id,
  };
}

function sizeOfFlow(template: FlowTemplate): Size {
  const { x, y, width, height } = boundsOf(template.agents.map((card) => ({ x: card.x, y: card.y, ...sizeOfCard(card) }))) as Box;
  return { width: x + width, height: y + height + flowFoot };
}

/** World px under a flow: for its links back, and for what is said below its dialog. */
const flowFoot = 48;

/** A person's card is an agent's in size. */
function sizeOfCard({ type }: FlowNode): Size {
  return nodeSize({ type: type === 'person' ? 'agent' : type });
}
