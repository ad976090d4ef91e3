import type { Agent } from '../../../contract/agent.ts';
import { agentStatuses } from '../../../contract/agent-statuses.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';

/** Returns the active agents (busy counts as active) without a node on the canvas, in menu order. */
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
