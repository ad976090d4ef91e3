import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup, isNote } from '../../../rules/card.ts';
import { type Box, boundsOf, boxOf, groupPadding, withContents } from '../document/annotations.ts';
import { type GroupTree, groupTree } from './group-tree.ts';
import { grownGroups } from './grown-groups.ts';
import { layeredLayout } from './layered-layout.ts';
import type { LayoutBox, LayoutLink } from './layout-box.ts';
import { noteOffset, noteSides } from './note-sides.ts';

/**
 * Returns new places and sizes of nodes (world px), of those with the given ids or of all; groups with their contents. Only links
 * between these nodes count, and no links of review loops: those lead left. A group is laid out by itself and fitted around its
 * contents. Then it is one box among the others, so that it covers no other node. A note keeps its place beside the node or group that
 * it belongs to.
 */
export function layoutOf({ nodes, connections }: CanvasDocument, nodeIds: readonly string[] | null): Map<string, Box> {
  const chosen = nodeIds ? [...withContents(nodes, new Set(nodeIds))].flatMap((id) => nodes[id] ?? []) : Object.values(nodes);
  const tree = groupTree(chosen);
  const known = new Set(chosen.map(({ id }) => id));
  const links = new Map<string | null, LayoutLink[]>();
  for (const { from, to, run } of Object.values(connections)) {
    if (run?.maxRounds !== undefined) continue;
    if (from.agentId === to.agentId || !known.has(from.agentId) || !known.has(to.agentId)) continue;
    const link = liftLink(tree.wayTo(from.agentId), tree.wayTo(to.agentId));
    const ofLevel = links.get(link.level);
    if (ofLevel) ofLevel.push(link);
    else links.set(link.level, [link]);
  }
  const places = layOut(null, tree, links);
  if (nodeIds) for (const [id, box] of grownGroups(nodes, places)) places.set(id, box);
  return places;
}

/** A link between two nodes, lifted to the innermost group that contains both. */
function liftLink(from: readonly string[], to: readonly string[]): LayoutLink & { level: string | null } {
  const at = from.findIndex((id, depth) => id !== to[depth]);
  return { level: from[at - 1] ?? null, from: from[at] as string, to: to[at] as string };
}

/** Lays out the contents of a group (null: outside all groups); its top-left corner stays. */
function layOut(level: string | null, tree: GroupTree, links: ReadonlyMap<string | null, LayoutLink[]>): Map<string, Box> {
  const members = tree.members.get(level) ?? [];
  const insides = new Map<string, { places: Map<string, Box>; bounds: Box }>();
  const now = new Map(members.map((node) => [node.id, boxOf(node)]));
  for (const node of members) {
    const { id } = node;
    const places = isGroup(node) ? layOut(id, tree, links) : new Map<string, Box>();
    const bounds = boundsOf([...places.values()]);
    if (!bounds) continue;
    insides.set(id, { places, bounds });
    const { width, height } = bounds;
    now.set(id, { ...(now.get(id) as Box), width: width + 2 * groupPadding, height: height + 2 * groupPadding });
  }
  const sides = noteSides(
    members.filter(isNote),
    members.filter((node) => !isNote(node)),
  );
  const beside = new Set([...sides.values()].flat());
  const found = new Map<string, Box>();
  const parts = members.filter((node) => !beside.has(node)).map((node) => part(node, now.get(node.id) as Box, sides.get(node.id) ?? []));
  const corners = layeredLayout(
    parts.map(({ box }) => box),
    links.get(level) ?? [],
  );
  for (const { box, inside } of parts) {
    const corner = corners.get(box.id) as { x: number; y: number };
    for (const [id, at] of inside) found.set(id, moved(at, corner.x, corner.y));
  }
  for (const [id, { places, bounds }] of insides) {
    const group = found.get(id) as Box;
    const dx = group.x + groupPadding - bounds.x;
    const dy = group.y + groupPadding - bounds.y;
    for (const [inner, at] of places) found.set(inner, moved(at, dx, dy));
  }
  return found;
}

/** A node with its notes as one box, with the places of each in that box. */
function part(node: CanvasNode, size: Box, notes: readonly CanvasNode[]): { box: LayoutBox; inside: Map<string, Box> } {
  const before = boxOf(node);
  const inside = new Map<string, Box>([[node.id, { ...size, x: 0, y: 0 }]]);
  for (const note of notes) inside.set(note.id, { ...boxOf(note), ...noteOffset(boxOf(note), before, size) });
  const { x, y, width, height } = boundsOf([...inside.values()]) as Box;
  for (const [id, at] of inside) inside.set(id, moved(at, -x, -y));
  return { box: { id: node.id, x: before.x + x, y: before.y + y, width, height, level: size.height / 2 - y }, inside };
}

function moved(box: Box, dx: number, dy: number): Box {
  return { ...box, x: box.x + dx, y: box.y + dy };
}
