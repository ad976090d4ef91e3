import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAgentCard } from '../../../rules/card.ts';

export type AgentAssignment = {
  /** The agent of each agent node that has one of its own, by node id. */
  byNode: ReadonlyMap<string, string>;
  /** Agent nodes without an agent: their agent was removed or belongs to another node, and no free agent has their title or name. */
  missing: CanvasNode[];
};

/**
 * Assigns each agent to at most one node. A node keeps its own `serverAgentId`; where two nodes have the same id, the first keeps it. A
 * node without an agent takes a free agent with its title, else with its name. W4.03 R37
 */
export function assignAgents(nodes: Iterable<CanvasNode>, agents: readonly Agent[]): AgentAssignment {
  const cards = [...nodes].filter(isAgentCard);
  const known = new Set(agents.map(({ id }) => id));
  const assigned = new Set<string>();
  const byNode = new Map<string, string>();
  const assign = (card: CanvasNode, agentId: string) => {
    assigned.add(agentId);
    byNode.set(card.id, agentId);
  };
  for (const card of cards) {
    const own = card.serverAgentId;
    if (own !== undefined && known.has(own) && !assigned.has(own)) assign(card, own);
  }
  const free = agentsByText(agents);
  const missing: CanvasNode[] = [];
  for (const card of cards) {
    if (byNode.has(card.id)) continue;
    const agentId = isGone(card, known)
      ? undefined
      : textsOf(card)
          .flatMap((text) => free.get(text) ?? [])
          .find((id) => !assigned.has(id));
    if (agentId === undefined) missing.push(card);
    else assign(card, agentId);
  }
  return { byNode, missing };
}

/**
 * Returns the agent id of a node in a run: its own, else the id of the free agent that it is assigned. Else the node's own id, which no
 * agent has. W4.03
 */
export function agentIdsForRun(nodes: Iterable<CanvasNode>, agents: readonly Agent[]): (card: CanvasNode) => string {
  const known = new Set(agents.map(({ id }) => id));
  const { byNode } = assignAgents(nodes, agents);
  return (card) => {
    const own = card.serverAgentId;
    if (own && (own !== card.id || known.has(own))) return own;
    return byNode.get(card.id) ?? card.id;
  };
}

/** Whether a node's own agent was removed. A copy whose `serverAgentId` is its own id never had one. */
function isGone({ id, serverAgentId }: CanvasNode, known: ReadonlySet<string>): boolean {
  return serverAgentId !== undefined && serverAgentId !== '' && serverAgentId !== id && !known.has(serverAgentId);
}

function textsOf({ title, name }: CanvasNode): string[] {
  return name ? [title, name] : [title];
}

function agentsByText(agents: readonly Agent[]): Map<string, string[]> {
  const byText = new Map<string, string[]>();
  for (const { id, title, name } of agents) {
    for (const text of new Set([title, name])) {
      const ids = byText.get(text);
      if (ids) ids.push(id);
      else byText.set(text, [id]);
    }
  }
  return byText;
}
