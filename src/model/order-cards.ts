import type { CanvasDocument, CanvasNode } from '../../contract/canvas.ts';
import { byPlace } from './resolve-dialog-target.ts';

type CardOrder = { nodes: CanvasNode[] /** links that lead back to a card which has had its turn */; backward: string[] };

/**
 * Orders cards along the links between them: a card follows all that lead to it; where several may be next, `first` goes
 * before the others, then the upper, then the left. A cycle is entered where the order reaches it, and the links that then lead
 * back are returned.
 */
export function orderCards(document: CanvasDocument, ids: ReadonlySet<string>, first: string | null): CardOrder {
  const incoming = new Map<string, Map<string, string>>();
  const outgoing = new Map<string, string[]>();
  for (const link of Object.values(document.connections)) {
    const from = link.from.agentId;
    const to = link.to.agentId;
    if (from === to || !ids.has(from) || !ids.has(to)) continue;
    if (!incoming.has(to)) incoming.set(to, new Map());
    incoming.get(to)?.set(from, link.id);
    outgoing.set(from, [...(outgoing.get(from) ?? []), to]);
  }

  const before = (a: CanvasNode, b: CanvasNode) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b);
  const waiting = new Set([...ids].flatMap((id) => document.nodes[id] ?? []).sort(before));
  const reached = new Set<string>();
  const order: CardOrder = { nodes: [], backward: [] };
  while (waiting.size > 0) {
    const next = pick(waiting, incoming, reached);
    for (const [from, linkId] of incoming.get(next.id) ?? []) {
      if (waiting.has(document.nodes[from] as CanvasNode)) order.backward.push(linkId);
    }
    waiting.delete(next);
    order.nodes.push(next);
    for (const to of outgoing.get(next.id) ?? []) {
      reached.add(to);
      incoming.get(to)?.delete(next.id);
    }
  }
  return order;
}

/** The first card that nothing waiting leads to; in a cycle the first one already led to, else the first of all. */
function pick(
  waiting: ReadonlySet<CanvasNode>,
  incoming: ReadonlyMap<string, Map<string, string>>,
  reached: ReadonlySet<string>,
): CanvasNode {
  let entry: CanvasNode | null = null;
  let any: CanvasNode | null = null;
  for (const node of waiting) {
    if ((incoming.get(node.id)?.size ?? 0) === 0) return node;
    if (!entry && reached.has(node.id)) entry = node;
    any ??= node;
  }
  return (entry ?? any) as CanvasNode;
}
