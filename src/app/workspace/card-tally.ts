import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Earlier } from '../../model/workspace-store.ts';

type Nodes = CanvasDocument['nodes'];

/** What the panels count of the cards. */
export type CardTally = {
  total: number;
  /** Cards of agents, of people none. */
  agents: number;
  /** How many cards stand for each of the known agents, by its id on the server; those without any are left out. */
  byAgent: ReadonlyMap<string, number>;
  /** How many cards stand for each of the people, by name. */
  byPerson: ReadonlyMap<string, number>;
};

/** Counts all cards. `isKnown` says of an agent's id whether its cards are counted. */
export function tallyOf(nodes: Nodes, isKnown: (agentId: string) => boolean): CardTally {
  const count = new Count({ total: 0, agents: 0, byAgent: new Map(), byPerson: new Map() }, isKnown);
  for (const id in nodes) count.add(nodes[id] as CanvasNode, 1);
  return count.tally;
}

/** The tally after a change of the cards that were something else `earlier`, the very same one where no count has changed: a move costs what it touches. */
export function tallyAfter(
  tally: CardTally,
  { earlier, nodes }: { earlier: Earlier['nodes']; nodes: Nodes },
  isKnown: (agentId: string) => boolean,
): CardTally {
  const count = new Count(tally, isKnown);
  for (const [id, was] of earlier) {
    const is = nodes[id];
    if (was && is && isCountedAlike(was, is)) continue;
    if (was) count.add(was, -1);
    if (is) count.add(is, 1);
  }
  return count.tally;
}

/** Adds to a tally, which itself never changes. */
class Count {
  tally: CardTally;
  readonly #isKnown: (agentId: string) => boolean;
  #isOwn = false;

  constructor(tally: CardTally, isKnown: (agentId: string) => boolean) {
    this.tally = tally;
    this.#isKnown = isKnown;
  }

  add(node: CanvasNode, by: 1 | -1): void {
    if (!this.#isOwn) {
      this.#isOwn = true;
      this.tally = { ...this.tally, byAgent: new Map(this.tally.byAgent), byPerson: new Map(this.tally.byPerson) };
    }
    const { tally } = this;
    tally.total += by;
    if (node.type === 'agent' && !node.isUser) tally.agents += by;
    if (node.serverAgentId && this.#isKnown(node.serverAgentId)) change(tally.byAgent, node.serverAgentId, by);
    if (node.isUser && node.name) change(tally.byPerson, node.name, by);
  }
}

function change(counts: ReadonlyMap<string, number>, key: string, by: number): void {
  const left = (counts.get(key) ?? 0) + by;
  const own = counts as Map<string, number>;
  if (left > 0) own.set(key, left);
  else own.delete(key);
}

function isCountedAlike(a: CanvasNode, b: CanvasNode): boolean {
  return a.type === b.type && a.isUser === b.isUser && a.serverAgentId === b.serverAgentId && a.name === b.name;
}
