import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { Fans, linkEnds } from '../../document/links/link-ends.ts';
import { byPlace } from '../starters/resolve-dialog-target.ts';
import { SmallestFirst } from './smallest-first.ts';

type CardOrder = {
  nodes: CanvasNode[];
  /** Nodes without links. */
  alone: ReadonlySet<CanvasNode>;
};

/**
 * Sorts nodes along the links between them: a node follows all nodes that lead to it. Among several candidates `first` comes first,
 * then the upper, then the left one. Links that lead back (`backward`) order nothing. Links to other nodes are ignored. Takes O(n log n)
 * steps.
 */
export function orderCards(
  cards: readonly CanvasNode[],
  links: readonly Connection[],
  { first, backward }: { first: string | null; backward: ReadonlySet<Connection> },
): CardOrder {
  const ranked = cards.toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b));
  const { from, to, within } = linkEnds(
    ranked.map(({ id }) => id),
    links,
  );
  const leaving = new Fans(from, ranked.length);
  const arriving = new Fans(to, ranked.length);
  /** The links that each card waits for. */
  const left = new Int32Array(ranked.length);
  for (const [link, target] of to.entries()) if (!backward.has(within[link] as Connection)) left[target] = (left[target] ?? 0) + 1;

  const free = new SmallestFirst();
  for (const [rank, many] of left.entries()) if (many === 0) free.push(rank);
  const nodes: CanvasNode[] = [];
  const alone = new Set<CanvasNode>();
  for (let rank = free.pop(); rank !== undefined; rank = free.pop()) {
    const card = ranked[rank] as CanvasNode;
    nodes.push(card);
    if (arriving.size(rank) + leaving.size(rank) === 0) alone.add(card);
    for (let at = leaving.begin(rank); at < leaving.end(rank); at += 1) {
      const link = leaving.at(at);
      if (backward.has(within[link] as Connection)) continue;
      const target = to[link] as number;
      left[target] = (left[target] ?? 0) - 1;
      if (left[target] === 0) free.push(target);
    }
  }
  return { nodes, alone };
}
