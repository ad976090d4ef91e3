import type { Agent } from '../../../contract/agent.ts';
import { agentStatuses } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';

/** Active (busy counts as active) agents in menu order of which no card is on the canvas. */
export function availableAgents(
  agents: { byId: Record<string, Agent>; order: readonly string[] },
  nodes: Record<string, CanvasNode>,
): Agent[] {
  const placed = new Set(Object.values(nodes).map((node) => node.serverAgentId));
  return agents.order.flatMap((id) => {
    const agent = agents.byId[id];
    return agent && agent.status !== agentStatuses.inactive && !placed.has(id) ? [agent] : [];
  });
}
