import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { maxPersonButtons } from '../../../../contract/executions/run-graph.ts';

/** Returns a canvas with these cards alone. A person keeps the buttons that are the names of its links. */
export function documentOfCards({ connections }: CanvasDocument, cards: readonly CanvasNode[]): CanvasDocument {
  const labels = (id: string) =>
    Object.values(connections).flatMap(({ from, run }) => (from.agentId === id && !run?.onFailure ? (run?.label ?? []) : []));
  const alone = cards.map((card): CanvasNode => {
    const { person } = card.step ?? {};
    if (!person) return card;
    const buttons = [...new Set([...(person.buttons ?? []), ...labels(card.id)])].slice(0, maxPersonButtons);
    return buttons.length > 0 ? { ...card, step: { ...card.step, person: { ...person, buttons } } } : card;
  });
  return { nodes: Object.fromEntries(alone.map((card) => [card.id, card])), connections: {} };
}
