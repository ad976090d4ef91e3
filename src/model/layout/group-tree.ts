import type { CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { areaOf, boxOf, liesIn } from '../document/annotations.ts';

/** The nodes of each group, and the levels of the tree at which links connect. */
export type GroupTree = {
  /** Nodes by the id of the smallest group that contains them; nodes outside all groups by null. */
  members: ReadonlyMap<string | null, CanvasNode[]>;
  /** From the outermost group of a node down to the node itself. */
  wayTo: (id: string) => readonly string[];
};

/** Assigns nodes to the groups among them. The nodes' order does not matter. */
export function groupTree(nodes: readonly CanvasNode[]): GroupTree {
  const groups = nodes.filter(isGroup).sort((a, b) => areaOf(boxOf(a)) - areaOf(boxOf(b)) || (a.id < b.id ? -1 : 1));
  const boxes = new Map(groups.map((group) => [group, boxOf(group)]));
  const parent = new Map<string, string | null>();
  for (const node of nodes) {
    const home = groups.find((group) => group !== node && liesIn(node, boxes.get(group) as ReturnType<typeof boxOf>));
    parent.set(node.id, home?.id ?? null);
  }
  const wayTo = (id: string): string[] => {
    const above = parent.get(id) ?? null;
    return above === null ? [id] : [...wayTo(above), id];
  };
  return { members: Map.groupBy(nodes, ({ id }) => parent.get(id) ?? null), wayTo };
}
