import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentCard, isDialog, isStart } from '../../../../rules/card.ts';
import type { Earlier } from '../../../model/workspace-store.ts';

/** The numbers of nodes and links, for the panels, and the few nodes that a run begins at. */
export type NodeCounts = {
  total: number;
  links: number;
  /** The ids of dialogs and of start nodes. */
  dialogs: ReadonlySet<string>;
  starts: ReadonlySet<string>;
  /** Nodes of agents, without those of people. */
  agents: number;
  /** The nodes of each known agent, by its id on the server. Agents without a node are absent. */
  byAgent: ReadonlyMap<string, number>;
  /** The nodes of each person, by name. */
  byPerson: ReadonlyMap<string, number>;
};

/** Counts all nodes and links. `isKnown` tells whether the agent with this id is known. */
export function countNodes({ nodes, connections }: CanvasDocument, isKnown: (agentId: string) => boolean): NodeCounts {
  const links = Object.keys(connections).length;
  const count = new Count(
    { total: 0, links, agents: 0, dialogs: new Set(), starts: new Set(), byAgent: new Map(), byPerson: new Map() },
    isKnown,
  );
  for (const id in nodes) count.add(nodes[id] as CanvasNode, 1);
  return count.counts;
}

/**
 * Returns the counts after a change; `earlier` holds the changed nodes and links as they were before.
 * Returns the same object when no count has changed. The cost grows with the change only.
 */
export function updateNodeCounts(
  counts: NodeCounts,
  { earlier, document }: { earlier: Earlier; document: CanvasDocument },
  isKnown: (agentId: string) => boolean,
): NodeCounts {
  const count = new Count(counts, isKnown);
  for (const [id, was] of earlier.nodes) {
    const is = document.nodes[id];
    if (was && is && isCountedAlike(was, is)) continue;
    if (was) count.add(was, -1);
    if (is) count.add(is, 1);
  }
  for (const [id, was] of earlier.connections) count.addLinks((document.connections[id] ? 1 : 0) - (was ? 1 : 0));
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

  addLinks(by: number): void {
    if (by !== 0) this.#own().links += by;
  }

  add(node: CanvasNode, by: 1 | -1): void {
    const counts = this.#own();
    counts.total += by;
    if (isDialog(node)) include(counts.dialogs, node.id, by);
    if (isStart(node)) include(counts.starts, node.id, by);
    if (isAgentCard(node)) counts.agents += by;
    if (node.serverAgentId && this.#isKnown(node.serverAgentId)) change(counts.byAgent, node.serverAgentId, by);
    if (node.isUser && node.name) change(counts.byPerson, node.name, by);
  }

  #own(): NodeCounts {
    if (!this.#isOwn) {
      this.#isOwn = true;
      const { dialogs, starts, byAgent, byPerson } = this.counts;
      const copies = { dialogs: new Set(dialogs), starts: new Set(starts), byAgent: new Map(byAgent), byPerson: new Map(byPerson) };
      this.counts = { ...this.counts, ...copies };
    }
    return this.counts;
  }
}

function include(ids: ReadonlySet<string>, id: string, by: 1 | -1): void {
  const own = ids as Set<string>;
  if (by > 0) own.add(id);
  else own.delete(id);
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
