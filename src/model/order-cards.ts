import type { CanvasDocument, CanvasNode, Connection } from '../../contract/canvas.ts';
import { byPlace } from './resolve-dialog-target.ts';
import { SmallestFirst } from './smallest-first.ts';

type CardOrder = { nodes: CanvasNode[] /** links that lead back to a card which has had its turn */; backward: string[] };

/**
 * Orders cards along the links between them: a card follows all that lead to it; where several may be next, `first` goes
 * before the others, then the upper, then the left. A cycle is entered where the order reaches it, else at the first card of all,
 * and the links that then lead back are returned. Takes n log n steps.
 */
export function orderCards(document: CanvasDocument, ids: ReadonlySet<string>, first: string | null): CardOrder {
  const before = (a: CanvasNode, b: CanvasNode) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b);
  const cards = [...ids].flatMap((id) => document.nodes[id] ?? []).sort(before);
  const rankOf = new Map(cards.map(({ id }, rank) => [id, rank]));
  const { incoming, outgoing } = linksBetween(document, rankOf);

  const isDone = new Uint8Array(cards.length);
  const isReached = new Uint8Array(cards.length);
  /** Cards that nothing waiting leads to, and cards that one which has had its turn leads to. */
  const free = new SmallestFirst();
  const reached = new SmallestFirst();
  let any = 0;
  const next = () => {
    for (const queue of [free, reached]) {
      for (let rank = queue.pop(); rank !== undefined; rank = queue.pop()) if (!isDone[rank]) return rank;
    }
    while (isDone[any]) any += 1;
    return any;
  };

  const order: CardOrder = { nodes: [], backward: [] };
  const left = Int32Array.from(cards, (_, rank) => incoming[rank]?.length ?? 0);
  for (let rank = 0; rank < cards.length; rank += 1) if (left[rank] === 0) free.push(rank);
  while (order.nodes.length < cards.length) {
    const rank = next();
    for (const { from, linkId } of incoming[rank] ?? []) if (!isDone[from]) order.backward.push(linkId);
    isDone[rank] = 1;
    order.nodes.push(cards[rank] as CanvasNode);
    for (const to of outgoing[rank] ?? []) {
      left[to] = (left[to] ?? 0) - 1;
      if (isDone[to]) continue;
      if (left[to] === 0) free.push(to);
      if (!isReached[to]) reached.push(to);
      isReached[to] = 1;
    }
  }
  return order;
}

type Incoming = { from: number; linkId: string };

/** By the rank of a card: the links that lead to it, and where its links lead. */
function linksBetween(document: CanvasDocument, rankOf: ReadonlyMap<string, number>) {
  const incoming: (Incoming[] | undefined)[] = new Array(rankOf.size);
  const outgoing: (number[] | undefined)[] = new Array(rankOf.size);
  for (const id in document.connections) {
    const link = document.connections[id] as Connection;
    const from = rankOf.get(link.from.agentId);
    const to = rankOf.get(link.to.agentId);
    if (from === undefined || to === undefined || from === to) continue;
    put(incoming, to, { from, linkId: link.id });
    put(outgoing, from, to);
  }
  return { incoming, outgoing };
}

function put<T>(lists: (T[] | undefined)[], at: number, value: T): void {
  const list = lists[at];
  if (list) list.push(value);
  else lists[at] = [value];
}
