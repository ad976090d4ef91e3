import type { Connection } from '../../../../contract/canvas.ts';
import { Fans, type LinkEnds, linkEnds } from './link-ends.ts';

/** Cards that lead to each other, of which runs enter one first. */
export type Cycle = {
  /** The links from other cards into it, in their order. */
  entries: Connection[];
  /** The links of it that lead back. */
  back: Connection[];
};

/** Returns the links that lead back, as `cyclesIn` finds them. */
export function linksBack(ids: readonly string[], links: Iterable<Connection>, first: string | null): Set<Connection> {
  return new Set(cyclesIn(ids, links, first).flatMap(({ back }) => back));
}

/**
 * Finds the cycles, and in each the links that lead back. They follow from the cards, the links and the links' ids alone: never from the
 * places of cards, and never from the order in which records were written. Without them the links have no cycle.
 *
 * Cards that lead to each other are entered at the end of the first link from other cards, else at `first`, else at the start of their
 * own first link. From there links are followed in their order, and one to a card on the way leads back. Takes O(n log n) steps.
 */
export function cyclesIn(ids: readonly string[], links: Iterable<Connection>, first: string | null): Cycle[] {
  const ends = linkEnds(
    ids,
    [...links].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const leaving = new Fans(ends.from, ids.length);
  const setOf = strongSets(leaving, ends, ids.length);
  const cycles = new Map<number, Cycle>();
  const onWay = new Int8Array(ids.length);
  for (const [set, entry] of entriesOf(ends, setOf, first === null ? -1 : ids.indexOf(first))) {
    const back: Connection[] = [];
    walk(leaving, ends, entry, {
      enters: (card) => setOf[card] === set && onWay[card] === 0,
      begins: (card) => {
        onWay[card] = 1;
      },
      ends: (card) => {
        onWay[card] = 2;
      },
      follows: (link) => {
        if (onWay[ends.to[link] as number] === 1) back.push(ends.within[link] as Connection);
      },
    });
    if (back.length > 0) cycles.set(set, { entries: [], back });
  }
  for (const [link, target] of ends.to.entries()) {
    const set = setOf[target] as number;
    if (setOf[ends.from[link] as number] !== set) cycles.get(set)?.entries.push(ends.within[link] as Connection);
  }
  return [...cycles.values()];
}

/** The card at which each set of cards that lead to each other is entered, by set. */
function entriesOf({ from, to }: LinkEnds, setOf: Int32Array, first: number): Map<number, number> {
  const entryOf = new Map<number, number>();
  const enter = (card: number) => {
    const set = setOf[card] as number;
    if (!entryOf.has(set)) entryOf.set(set, card);
  };
  const inside = (link: number) => setOf[from[link] as number] === setOf[to[link] as number];
  for (const [link, target] of to.entries()) if (!inside(link)) enter(target);
  if (first >= 0) enter(first);
  for (const [link, source] of from.entries()) if (inside(link)) enter(source);
  return entryOf;
}

/** Numbers the sets of cards that lead to each other, by Tarjan's algorithm. */
function strongSets(leaving: Fans, ends: LinkEnds, count: number): Int32Array {
  const setOf = new Int32Array(count).fill(-1);
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const open: number[] = [];
  let seen = 0;
  for (let card = 0; card < count; card += 1) {
    if (order[card] !== -1) continue;
    walk(leaving, ends, card, {
      enters: (next) => order[next] === -1,
      begins: (at) => {
        order[at] = low[at] = seen++;
        open.push(at);
      },
      follows: (link) => {
        const [at, next] = [ends.from[link] as number, ends.to[link] as number];
        if (order[next] !== -1 && setOf[next] === -1) low[at] = Math.min(low[at] as number, order[next] as number);
      },
      ends: (at, before) => {
        if (low[at] === order[at]) for (let one = open.pop(); one !== undefined; one = one === at ? undefined : open.pop()) setOf[one] = at;
        if (before !== null) low[before] = Math.min(low[before] as number, low[at] as number);
      },
    });
  }
  return setOf;
}

type Visit = {
  enters: (card: number) => boolean;
  begins: (card: number) => void;
  /** Called for each link out of a card, before its end is entered. */
  follows: (link: number) => void;
  ends: (card: number, before: number | null) => void;
};

/** Follows links in depth, without recursion: a chain may have 10,000 cards. */
function walk(leaving: Fans, { to }: LinkEnds, start: number, { enters, begins, follows, ends }: Visit): void {
  begins(start);
  const way = [{ card: start, at: leaving.begin(start) }];
  for (let top = way.at(-1); top; top = way.at(-1)) {
    if (top.at === leaving.end(top.card)) {
      way.pop();
      ends(top.card, way.at(-1)?.card ?? null);
      continue;
    }
    const link = leaving.at(top.at++);
    follows(link);
    const next = to[link] as number;
    if (!enters(next)) continue;
    begins(next);
    way.push({ card: next, at: leaving.begin(next) });
  }
}
