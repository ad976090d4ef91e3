import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Earlier } from '../../model/workspace-store.ts';

type Nodes = CanvasDocument['nodes'];

/** The numbers of nodes, for the panels. */
export type NodeCounts = {
  total: number;
  /** Nodes of agents, without those of people. */
  agents: number;
  /** The nodes of each known agent, by its id on the server. Agents without a node are absent. */
  byAgent: ReadonlyMap<string, number>;
  /** The nodes of each person, by name. */
  byPerson: ReadonlyMap<string, number>;
};

/** Counts all nodes. `isKnown` tells whether the agent with this id is known. */
export function countNodes(nodes: Nodes, isKnown: (agentId: string) => boolean): NodeCounts {
  const count = new Count({ total: 0, agents: 0, byAgent: new Map(), byPerson: new Map() }, isKnown);
  for (const id in nodes) count.add(nodes[id] as CanvasNode, 1);
  return count.counts;
}

/**
 * Returns the counts after a change; `earlier` holds the changed nodes as they were before.
 * Returns the same object when no count has changed. The cost grows with the changed nodes only.
 */
export function updateNodeCounts(
  counts: NodeCounts,
  { earlier, nodes }: { earlier: Earlier['nodes']; nodes: Nodes },
  isKnown: (agentId: string) => boolean,
): NodeCounts {
  const count = new Count(counts, isKnown);
  for (const [id, was] of earlier) {
    const is = nodes[id];
    if (was && is && isCountedAlike(was, is)) continue;
    if (was) count.add(was, -1);
    if (is) count.add(is, 1);
  }
  return count.counts;
}

/** Adds to counts, and copies them before the first change. */
class Count {
  counts: NodeCounts;
  readonly #isKnown: (agentId: string) => boolean;
  #isOwn = false;

  constructor(counts: NodeCounts, isKnown: (agentId: string) => boolean) {
    this.counts = counts;
    this.#isKnown = isKnown;
  }

  add(node: CanvasNode, by: 1 | -1): void {
    if (!this.#isOwn) {
      this.#isOwn = true;
      this.counts = { ...this.counts, byAgent: new Map(this.counts.byAgent), byPerson: new Map(this.counts.byPerson) };
    }
    const { counts } = this;
    counts.total += by;
    if (node.type === 'agent' && !node.isUser) counts.agents += by;
    if (node.serverAgentId && this.#isKnown(node.serverAgentId)) change(counts.byAgent, node.serverAgentId, by);
    if (node.isUser && node.name) change(counts.byPerson, node.name, by);
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
