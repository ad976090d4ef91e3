import type { Agent } from '../../contract/agent.ts';
import type { CanvasNode } from '../../contract/canvas.ts';

/**
 * Returns what finds an agent card's server agent: its own `serverAgentId`; where that is missing, the server agent of the same
 * title or name, else of the same id, else the card's own id. W4.03
 */
export function serverAgentFinder(agents: readonly Agent[]): (card: CanvasNode) => string {
  let byText: Map<string, string> | null = null;
  let known: Set<string> | null = null;
  const isKnown = (id: string) => {
    known ??= new Set(agents.map((agent) => agent.id));
    return known.has(id);
  };
  const called = (text: string) => {
    byText ??= new Map(agents.toReversed().flatMap(({ id, name, title }) => [[name, id] as const, [title, id] as const]));
    return byText.get(text);
  };
  return (card) => {
    if (card.serverAgentId && (card.serverAgentId !== card.id || isKnown(card.id))) return card.serverAgentId;
    return called(card.title) ?? (card.name ? called(card.name) : undefined) ?? card.id;
  };
}
