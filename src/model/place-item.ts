import type { Agent } from '../../contract/agent.ts';
import type { CanvasNode } from '../../contract/canvas.ts';
import { type FlowTemplate, flowTemplates, teamRoles } from '../../contract/flow-templates.ts';
import { clampToCanvas, findFreePlace, type Point } from './auto-placement.ts';
import { availableAgents } from './available-agents.ts';
import type { PlaceableItem } from './commands.ts';
import { nodeSize, type Size } from './node-size.ts';
import { failed, type Outcome } from './problem.ts';
import { roleHue } from './roles.ts';

/** Words that a new card carries, in the language of whoever places it. */
export type NodeTexts = { start: string; dialog: string; goal: string };

export type PlacingContext = {
  nodes: Record<string, CanvasNode>;
  agents: { byId: Record<string, Agent>; order: readonly string[] };
  texts: NodeTexts;
  newId: () => string;
};

export type PlacedCards = {
  nodes: CanvasNode[];
  links: { from: string; to: string }[];
  /** Titles of the cards that got no server agent. */
  unmatched: string[];
};

/**
 * Turns a menu item into cards: at `at` (world px, clamped to ±10000), else at the next free place. Refuses a place that is
 * not finite, an unknown item, and an agent of which none is left; a flow is never refused for its counts. W5.02
 */
export function placeItem(item: PlaceableItem, at: Point | undefined, context: PlacingContext): Outcome<PlacedCards> {
  if (at && !(Number.isFinite(at.x) && Number.isFinite(at.y))) return failed('drop.notFinite');
  const { newId, texts } = context;
  switch (item.kind) {
    case 'agent':
      return placeAgent(item.agentId, at, context);
    case 'start':
      return placed(at, context, { id: newId(), type: 'start', title: texts.start });
    case 'dialog':
      return placed(at, context, { id: newId(), type: 'dialog', title: texts.dialog, goal: texts.goal });
    case 'user': {
      const id = newId();
      return placed(at, context, { id, type: 'agent', title: item.title, name: item.key, role: 'user', isUser: true, serverAgentId: id });
    }
    case 'flow': {
      const template = flowTemplates.find((candidate) => candidate.id === item.templateId);
      return template ? { ok: true, value: placeFlow(template, at, context) } : failed('flow.unknown');
    }
    default:
      return item satisfies never;
  }
}

function placeAgent(agentId: string, at: Point | undefined, context: PlacingContext): Outcome<PlacedCards> {
  const wanted = context.agents.byId[agentId];
  if (!wanted) return failed('agent.notFound', { id: agentId, available: context.agents.order.length });
  const free = availableAgents(context.agents, context.nodes);
  const agent = free.find((candidate) => candidate.id === agentId) ?? free.find((candidate) => candidate.role === wanted.role);
  if (!agent) return failed('agent.noneLeft', { agent: wanted.title });
  return placed(at, context, { id: context.newId(), ...cardOfAgent(agent) });
}

function placeFlow(template: FlowTemplate, at: Point | undefined, context: PlacingContext): PlacedCards {
  const base = at ?? findFreePlace(context.nodes, sizeOfFlow(template));
  const free = availableAgents(context.agents, context.nodes);
  const ids = new Map<string, string>();
  const result: PlacedCards = { nodes: [], links: [], unmatched: [] };
  for (const card of template.agents) {
    const id = context.newId();
    ids.set(card.id, id);
    const place = clampToCanvas({ x: base.x + card.x, y: base.y + card.y });
    if (card.type === 'agent') {
      const role = teamRoles[card.agent];
      const index = free.findIndex((agent) => agent.name === card.agent || agent.role === role);
      const agent = index < 0 ? undefined : free.splice(index, 1)[0];
      if (agent) result.nodes.push({ id, ...cardOfAgent(agent), ...place });
      else {
        const known = Object.values(context.agents.byId).find((candidate) => candidate.name === card.agent || candidate.role === role);
        const title = known?.title ?? role;
        result.unmatched.push(title);
        result.nodes.push({
          id,
          type: 'agent',
          title,
          name: card.agent,
          role,
          ...(known && { description: known.description }),
          serverAgentId: id,
          ...place,
        });
      }
    } else if (card.type === 'dialog')
      result.nodes.push({ id, type: 'dialog', title: context.texts.dialog, goal: context.texts.goal, ...place });
    else result.nodes.push({ id, type: 'start', title: context.texts.start, ...place });
  }
  for (const { from, to } of template.connections) result.links.push({ from: ids.get(from) as string, to: ids.get(to) as string });
  return result;
}

function placed(at: Point | undefined, context: PlacingContext, card: Omit<CanvasNode, 'x' | 'y'>): Outcome<PlacedCards> {
  const place = at ? clampToCanvas(at) : findFreePlace(context.nodes, nodeSize(card));
  return { ok: true, value: { nodes: [{ ...card, ...place }], links: [], unmatched: [] } };
}

/** What a card shows of its server agent; texts are cut to what a card may hold. */
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
  return template.agents.reduce(
    (size, card) => ({
      width: Math.max(size.width, card.x + nodeSize(card).width),
      height: Math.max(size.height, card.y + nodeSize(card).height),
    }),
    { width: 0, height: 0 },
  );
}
