import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAgentOrPerson } from '../../../rules/card.ts';
import { availableAgents } from '../agents/available-agents.ts';
import type { Point } from './auto-placement.ts';
import { cardOfAgent, type PlacedCards, type PlacingContext, type WantedAgent } from './place-item.ts';
import type { CanvasExcerpt } from './read-canvas-text.ts';

/** The shift of copies that would cover a node exactly (world px), and how often it is repeated. */
const aside = { step: 20, maxSteps: 1_000 } as const;

/**
 * Copies nodes and the links between them, moved by `shift` (world px). As often as they would cover an existing node exactly, they
 * move by 20 more. A copy of an agent takes a free agent: the one that was made for it, its own where that has no node, else one with the same role. Where none
 * is free, the copy has no agent, is listed in `unmatched`, and `wanted` says which one it lacks. R37
 */
export function copyCards({ nodes, connections }: CanvasExcerpt, shift: Point, context: Omit<PlacingContext, 'texts'>): PlacedCards {
  const ids = new Map(nodes.map(({ id }) => [id, context.newId()]));
  const moved = freeShift(nodes, shift, context.nodes);
  const agents = new FreeAgents(context);
  const unmatched: string[] = [];
  const wanted: WantedAgent[] = [];
  const copies = nodes.map((node) => {
    const id = ids.get(node.id) as string;
    const copy: CanvasNode = { ...node, id, x: node.x + moved.x, y: node.y + moved.y };
    const target = node.targetAgentId === undefined ? undefined : ids.get(node.targetAgentId);
    if (target !== undefined) copy.targetAgentId = target;
    if (!isAgentOrPerson(node)) return copy;
    if (node.isUser) return { ...copy, serverAgentId: id };
    const agent = agents.take(node);
    if (agent === 'own') return copy;
    if (agent) return { ...copy, ...cardOfAgent(agent) };
    if (agents.hasAgents) {
      unmatched.push(node.title);
      wanted.push(agents.lacking(node));
    }
    return { ...copy, serverAgentId: id };
  });
  const links = connections.map(({ from, to, run }) => ({
    from: ids.get(from.agentId) as string,
    to: ids.get(to.agentId) as string,
    ...(run && { run }),
  }));
  return { nodes: copies, links, unmatched, wanted, skipped: [] };
}

/** The agents without a node, each of which one copy takes. */
class FreeAgents {
  readonly hasAgents: boolean;
  readonly #byId: Record<string, Agent>;
  readonly #made: ReadonlyMap<string, Agent>;
  readonly #taken: Set<string>;
  /** The agents of each role that may be free, in menu order. */
  readonly #free: Map<string, Agent[]>;
  readonly #byTitle: Map<string, Agent>;

  constructor({ agents, nodes, made = new Map() }: Pick<PlacingContext, 'agents' | 'nodes' | 'made'>) {
    this.hasAgents = agents.order.length > 0;
    this.#byId = agents.byId;
    this.#made = made;
    this.#taken = new Set(Object.values(nodes).flatMap(({ serverAgentId }) => serverAgentId ?? []));
    for (const { id } of made.values()) this.#taken.add(id);
    this.#free = Map.groupBy(availableAgents(agents, nodes), ({ role }) => role);
    this.#byTitle = new Map(Object.values(agents.byId).map((agent) => [agent.title, agent]));
  }

  /** `own` when the node keeps its agent, another agent of the role, or null. */
  take({ id, serverAgentId, role }: CanvasNode): Agent | 'own' | null {
    const made = this.#made.get(id);
    if (made) return made;
    const known = serverAgentId !== undefined && (!this.hasAgents || this.#byId[serverAgentId] !== undefined);
    if (known && !this.#taken.has(serverAgentId)) {
      this.#taken.add(serverAgentId);
      return 'own';
    }
    const free = this.#free.get(role ?? '') ?? [];
    while (free[0] && this.#taken.has(free[0].id)) free.shift();
    const agent = free.shift();
    if (!agent) return null;
    this.#taken.add(agent.id);
    return agent;
  }

  /** A copy of the node's agent, or of the one with its title; without them an agent with its words. */
  lacking(node: CanvasNode): WantedAgent {
    const original = this.#byId[node.serverAgentId ?? ''] ?? this.#byTitle.get(node.title);
    return original ? { copyOf: original.id, of: node.id } : { card: node, of: node.id };
  }
}

function freeShift(nodes: readonly CanvasNode[], shift: Point, present: Record<string, CanvasNode>): Point {
  const places = new Set(Object.values(present).map(({ x, y }) => `${x} ${y}`));
  const covers = (far: number) => nodes.some((node) => places.has(`${node.x + shift.x + far} ${node.y + shift.y + far}`));
  let far = 0;
  while (far < aside.step * aside.maxSteps && covers(far)) far += aside.step;
  return { x: shift.x + far, y: shift.y + far };
}
