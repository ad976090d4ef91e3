import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { successors } from '../run/plan/successors.ts';
import { type Box, boxOf, liesIn } from './annotations.ts';

/** World px between two cards. */
const cardGap = 20;

/** `first`: the card that has to move to the right. Only cards right of `cut` move. `by`: the distance (world px). */
type Room = { first: string; cut: number; by: number };

/**
 * Returns the nodes that move, and groups that grow, so that cards fit before `first`: that card, what it leads to, and what would be
 * covered then. What lies left of `cut` stays, such as the next row of a flow.
 */
export function makeRoom(document: CanvasDocument, { first, cut, by }: Room): CanvasNode[] {
  if (by <= 0) return [];
  const { nodes } = document;
  const all = Object.values(nodes).filter(({ x }) => x >= cut);
  const right = new Set(all.filter((node) => !isGroup(node)).map(({ id }) => id));
  const moving = new Set<string>();
  const next = successors(document);
  const open = right.has(first) ? [first] : [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes[id];
    if (!node || moving.has(id) || !right.has(id)) continue;
    moving.add(id);
    right.delete(id);
    open.push(...(next.get(id) ?? []), ...covered(node, by, right, nodes));
  }
  const groups = Object.values(nodes).flatMap((group) => {
    if (!isGroup(group)) return [];
    const inside = Object.values(nodes).filter((node) => !isGroup(node) && liesIn(node, boxOf(group)));
    if (!inside.some(({ id }) => moving.has(id))) return [];
    const movesWhole = group.x >= cut && inside.every(({ id }) => moving.has(id));
    return [movesWhole ? { ...group, x: group.x + by } : { ...group, width: boxOf(group).width + by }];
  });
  return [...[...moving].flatMap((id) => (nodes[id] ? [{ ...nodes[id], x: nodes[id].x + by }] : [])), ...groups];
}

/** The cards that a card covers after its move, and did not cover before. */
function covered(node: CanvasNode, by: number, others: ReadonlySet<string>, nodes: CanvasDocument['nodes']): string[] {
  const before = boxOf(node);
  const after = { ...before, x: before.x + by };
  return [...others].filter((id) => {
    const other = nodes[id];
    return other !== undefined && isNear(after, boxOf(other)) && !isNear(before, boxOf(other));
  });
}

/** Whether two boxes are nearer than cards may be. */
export function isNear(a: Box, b: Box): boolean {
  return a.x < b.x + b.width + cardGap && b.x < a.x + a.width + cardGap && a.y < b.y + b.height + cardGap && b.y < a.y + a.height + cardGap;
}
