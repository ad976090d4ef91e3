import type { Agent } from '../../../contract/agent.ts';
import type { AgentsState } from '../workspace-state.ts';

const prefix = 'fallback-';

/** Returns the id of a fallback agent, which is shown while the server has sent no agents, and is never sent to it. W4.15 */
export function fallbackId(name: string): string {
  return `${prefix}${name}`;
}

export function isFallback(id: string): boolean {
  return id.startsWith(prefix);
}

/** Returns the server's agents in menu order. */
export function serverAgents({ byId, order }: Pick<AgentsState, 'byId' | 'order'>): Agent[] {
  return order.flatMap((id) => (isFallback(id) ? [] : (byId[id] ?? [])));
}
