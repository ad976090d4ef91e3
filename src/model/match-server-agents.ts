import type { Agent } from '../../contract/agent.ts';
import type { CanvasDocument } from '../../contract/canvas.ts';
import { isAgentCard } from '../../rules/card.ts';

/**
 * Returns each agent card's server agent, by node id: its own `serverAgentId`; where that is missing, the server agent of
 * the same title or name, else of the same id, else the card's own id. W4.03
 */
export function matchServerAgents(document: CanvasDocument, agents: readonly Agent[]): Map<string, string> {
  const byText = new Map<string, string>();
  for (const agent of agents.toReversed()) {
    byText.set(agent.name, agent.id);
    byText.set(agent.title, agent.id);
  }
  const known = new Set(agents.map((agent) => agent.id));
  const matches = new Map<string, string>();
  for (const node of Object.values(document.nodes)) {
    if (!isAgentCard(node)) continue;
    const own = node.serverAgentId && (node.serverAgentId !== node.id || known.has(node.id)) ? node.serverAgentId : undefined;
    matches.set(node.id, own ?? byText.get(node.title) ?? (node.name ? byText.get(node.name) : undefined) ?? node.id);
  }
  return matches;
}
