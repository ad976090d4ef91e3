import type { Agent } from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
import type { AgentsState } from '../../../model/workspace-state.ts';
import type { NodeCounts } from '../frame/node-counts.ts';

/** One row of the agents' section: the owner's active agents of one role. */
type AgentMenuItem = {
  role: string;
  title: string;
  description: string;
  /** Agents of the role that are not on the canvas, in the list's order; the first is placed next. */
  freeIds: string[];
  /** Agents of the role that are on the canvas. */
  placedIds: string[];
};

/** Groups the agents by role in the list's order, without inactive ones; busy ones count as active. Counts follow from the cards. W4.13 */
export function agentMenu(agents: Pick<AgentsState, 'byId' | 'order'>, placed: NodeCounts['byAgent']): AgentMenuItem[] {
  const items = new Map<string, AgentMenuItem>();
  for (const id of agents.order) {
    const agent = agents.byId[id];
    if (!agent || agent.status === agentStatuses.inactive) continue;
    const item = items.get(agent.role) ?? emptyItem(agent);
    (placed.has(id) ? item.placedIds : item.freeIds).push(id);
    items.set(agent.role, item);
  }
  return [...items.values()];
}

function emptyItem(agent: Agent): AgentMenuItem {
  return { role: agent.role, title: agent.title, description: agent.description, freeIds: [], placedIds: [] };
}
