import type { Agent } from '../../../contract/agent.ts';
import type { AgentsState } from '../workspace-state.ts';

const prefix = 'fallback-';

/** The id of an agent that stands in while the server has named none: it is of this page alone and is never sent. W4.15 */
export function fallbackId(name: string): string {
  return `${prefix}${name}`;
}

export function isFallback(id: string): boolean {
  return id.startsWith(prefix);
}

/** The agents that the server has, in the menu's order. */
export function serverAgents({ byId, order }: Pick<AgentsState, 'byId' | 'order'>): Agent[] {
  return order.flatMap((id) => (isFallback(id) ? [] : (byId[id] ?? [])));
}
