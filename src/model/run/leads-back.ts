import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';

/** Whether a link leads to a card that leads to the link's own start: only such a link can be a review loop. Takes O(links) steps. */
export function leadsBack({ connections }: CanvasDocument, link: Connection): boolean {
  const next = Map.groupBy(
    Object.values(connections).filter(({ id, run }) => id !== link.id && run?.maxRounds === undefined),
    ({ from }) => from.agentId,
  );
  const seen = new Set([link.to.agentId]);
  const open = [link.to.agentId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === link.from.agentId) return true;
    for (const { to } of next.get(id) ?? []) {
      if (seen.has(to.agentId)) continue;
      seen.add(to.agentId);
      open.push(to.agentId);
    }
  }
  return false;
}
