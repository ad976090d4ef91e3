import type { Connection } from '../../../../contract/canvas.ts';

/** The links between cards, with the numbers of the cards at their ends. Links to other cards, and from a card to itself, are left out. */
export type LinkEnds = { within: Connection[]; from: number[]; to: number[] };

/** `ids` are numbered by their places. */
export function linkEnds(ids: readonly string[], links: Iterable<Connection>): LinkEnds {
  const numberOf = new Map(ids.map((id, at) => [id, at]));
  const ends: LinkEnds = { within: [], from: [], to: [] };
  for (const link of links) {
    const source = numberOf.get(link.from.agentId);
    const target = numberOf.get(link.to.agentId);
    if (source === undefined || target === undefined || source === target) continue;
    ends.from.push(source);
    ends.to.push(target);
    ends.within.push(link);
  }
  return ends;
}

/** Groups link numbers by the card at one end, in their own order: a counting sort. */
export class Fans {
  readonly #begin: Int32Array;
  readonly #links: Int32Array;

  /** `ends`: the card at one end of each link; `count`: the number of cards. */
  constructor(ends: readonly number[], count: number) {
    this.#begin = new Int32Array(count + 1);
    for (const card of ends) this.#begin[card + 1] = (this.#begin[card + 1] ?? 0) + 1;
    for (let card = 0; card < count; card += 1) this.#begin[card + 1] = this.end(card) + this.begin(card);
    this.#links = new Int32Array(ends.length);
    const free = this.#begin.slice();
    for (const [link, card] of ends.entries()) {
      const at = free[card] ?? 0;
      this.#links[at] = link;
      free[card] = at + 1;
    }
  }

  begin(card: number): number {
    return this.#begin[card] ?? 0;
  }

  end(card: number): number {
    return this.#begin[card + 1] ?? 0;
  }

  size(card: number): number {
    return this.end(card) - this.begin(card);
  }

  at(index: number): number {
    return this.#links[index] ?? 0;
  }
}
