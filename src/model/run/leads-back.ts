import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAgentOrPerson } from '../../../rules/card.ts';

/** Whether a link leads to a card that leads to the link's own start: only such a link can be a review loop. Takes O(links) steps. */
export function leadsBack({ nodes, connections }: CanvasDocument, link: Connection): boolean {
  const next = Map.groupBy(Object.values(connections), ({ from }) => from.agentId);
  return leadsBackAlong(
    link,
    (id) => nodes[id],
    (id) => next.get(id) ?? [],
  );
}

/** The same by the links out of each card. Dialogs and start cards begin runs: no way leads back through them. */
export function leadsBackAlong(
  link: Connection,
  nodeAt: (id: string) => CanvasNode | undefined,
  linksFrom: (id: string) => Iterable<Connection>,
): boolean {
  const isOnWay = (id: string) => isAgentOrPerson(nodeAt(id));
  if (!isOnWay(link.from.agentId) || !isOnWay(link.to.agentId)) return false;
  const seen = new Set([link.to.agentId]);
  const open = [link.to.agentId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === link.from.agentId) return true;
    for (const { id: linkId, to, run } of linksFrom(id)) {
      if (linkId === link.id || run?.maxRounds !== undefined || seen.has(to.agentId) || !isOnWay(to.agentId)) continue;
      seen.add(to.agentId);
      open.push(to.agentId);
    }
  }
  return false;
}
