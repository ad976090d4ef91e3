import { type CardView, leftOutCard, outsideCard } from '../../model/card-view.ts';
import { emptyParticipation, type Participation } from '../../model/run/participation/participation-state.ts';

type Ids = ReadonlySet<string>;

const none: Ids = new Set();
const nothing = { nodes: none, links: none, outside: none };

/** What the next run leaves out, and the cards among them that another start begins; empty while a run is shown. */
export class LeftOut {
  #sets = nothing;
  #participation = emptyParticipation;
  #isAtRest = false;

  get links(): Ids {
    return this.#sets.links;
  }

  view(nodeId: string): CardView | undefined {
    if (this.#sets.outside.has(nodeId)) return outsideCard;
    return this.#sets.nodes.has(nodeId) ? leftOutCard : undefined;
  }

  /** Returns the ids of the nodes and links that are left out now and were not before, or the reverse. */
  update(isAtRest: boolean, participation: Participation): { nodes: string[]; links: string[] } {
    if (participation === this.#participation && isAtRest === this.#isAtRest) return { nodes: [], links: [] };
    const before = this.#sets;
    this.#participation = participation;
    this.#isAtRest = isAtRest;
    this.#sets = isAtRest ? leftOutOf(participation) : nothing;
    return {
      nodes: [...inOneOnly(before.nodes, this.#sets.nodes), ...inOneOnly(before.outside, this.#sets.outside)],
      links: inOneOnly(before.links, this.#sets.links),
    };
  }
}

/** The cards and links that the next run leaves out. `outside`: the cards among them that another start begins. */
export function leftOutOf({ leftOutNodes, leftOutLinks, reports }: Participation): { nodes: Ids; links: Ids; outside: Ids } {
  return {
    nodes: new Set(leftOutNodes),
    links: new Set(leftOutLinks),
    outside: new Set(reports.flatMap(({ kind, nodeIds }) => (kind === 'otherStart' ? nodeIds : []))),
  };
}

function inOneOnly(a: Ids, b: Ids): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}
