import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { byPlace } from '../run/resolve-dialog-target.ts';
import { SmallestFirst } from './smallest-first.ts';

type CardOrder = {
  nodes: CanvasNode[];
  /** Links that lead back to an earlier node. */
  backward: Connection[];
  /** Nodes without links. */
  alone: ReadonlySet<CanvasNode>;
};

/**
 * Sorts nodes along the links between them: a node follows all nodes that lead to it. Among several candidates `first` comes first,
 * then the upper, then the left one. A cycle is entered at the node that the order reaches first, and the links that
 * then lead back are returned. Links to other nodes are ignored. Takes O(n log n) steps.
 */
export function orderCards(cards: readonly CanvasNode[], links: readonly Connection[], first: string | null): CardOrder {
  const waiting = cards.toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b));
  const { from, to, within } = rankedEnds(waiting, links);
  const leaving = new Fans(from, waiting.length);
  const arriving = new Fans(to, waiting.length);

  const isDone = new Uint8Array(waiting.length);
  const isReached = new Uint8Array(waiting.length);
  /** Candidates without a waiting predecessor, and candidates with a finished predecessor. */
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

  const nodes: CanvasNode[] = [];
  const backward: Connection[] = [];
  const alone = new Set<CanvasNode>();
  const left = Int32Array.from(waiting, (_, rank) => arriving.size(rank));
  for (let rank = 0; rank < waiting.length; rank += 1) if (left[rank] === 0) free.push(rank);
  while (nodes.length < waiting.length) {
    const rank = next();
    const card = waiting[rank] as CanvasNode;
    for (let at = arriving.begin(rank); at < arriving.end(rank); at += 1) {
      const link = arriving.at(at);
      if (!isDone[from[link] as number]) backward.push(within[link] as Connection);
    }
    isDone[rank] = 1;
    nodes.push(card);
    if (arriving.size(rank) + leaving.size(rank) === 0) alone.add(card);
    for (let at = leaving.begin(rank); at < leaving.end(rank); at += 1) {
      const target = to[leaving.at(at)] as number;
      left[target] = (left[target] ?? 0) - 1;
      if (isDone[target]) continue;
      if (left[target] === 0) free.push(target);
      if (!isReached[target]) reached.push(target);
      isReached[target] = 1;
    }
  }
  return { nodes, backward, alone };
}

/** Returns the links between the nodes, and the ranks of the nodes at their ends. */
function rankedEnds(cards: readonly CanvasNode[], links: readonly Connection[]) {
  const rankOf = new Map(cards.map(({ id }, rank) => [id, rank]));
  const from: number[] = [];
  const to: number[] = [];
  const within: Connection[] = [];
  for (const link of links) {
    const source = rankOf.get(link.from.agentId);
    const target = rankOf.get(link.to.agentId);
    if (source === undefined || target === undefined || source === target) continue;
    from.push(source);
    to.push(target);
    within.push(link);
  }
  return { from, to, within };
}

/** Groups link numbers by the rank at one end, in their own order: a counting sort. */
class Fans {
  readonly #begin: Int32Array;
  readonly #links: Int32Array;

  /** `ranks`: of each link's end; `count`: the number of ranks. */
  constructor(ranks: readonly number[], count: number) {
    this.#begin = new Int32Array(count + 1);
    for (const rank of ranks) this.#begin[rank + 1] = (this.#begin[rank + 1] ?? 0) + 1;
    for (let rank = 0; rank < count; rank += 1) this.#begin[rank + 1] = this.end(rank) + this.begin(rank);
    this.#links = new Int32Array(ranks.length);
    const free = this.#begin.slice();
    for (const [link, rank] of ranks.entries()) {
      const at = free[rank] ?? 0;
      this.#links[at] = link;
      free[rank] = at + 1;
    }
  }

  begin(rank: number): number {
    return this.#begin[rank] ?? 0;
  }

  end(rank: number): number {
    return this.#begin[rank + 1] ?? 0;
  }

  size(rank: number): number {
    return this.end(rank) - this.begin(rank);
  }

  at(index: number): number {
    return this.#links[index] ?? 0;
  }
}
