import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { areaOf, boxOf, liesIn, withContents } from '../../model/document/annotations.ts';

type Nodes = CanvasDocument['nodes'];
type Ids = ReadonlySet<string>;

/** Returns the folded groups after these were folded, if one of them was open; else after they were opened. */
export function toggleFolds(folded: Ids, groupIds: Ids): Ids {
  const isAnyOpen = [...groupIds].some((id) => !folded.has(id));
  return isAnyOpen ? new Set([...folded, ...groupIds]) : without(folded, groupIds);
}

/** The groups that folding acts on: those among the ids, and of each other node the innermost group around it. */
export function groupsToFold(nodes: Nodes, ids: Iterable<string>): Ids {
  const bySize = [...allGroups(nodes)].flatMap((id) => nodes[id] ?? []).sort((a, b) => areaOf(boxOf(a)) - areaOf(boxOf(b)));
  const groups = new Set<string>();
  for (const id of ids) {
    const node = nodes[id];
    const group = isGroup(node) ? node : node && bySize.find((one) => liesIn(node, boxOf(one)));
    if (group) groups.add(group.id);
  }
  return groups;
}

export function allGroups(nodes: Nodes): Ids {
  return new Set(Object.keys(nodes).filter((id) => isGroup(nodes[id])));
}

/** Adds the contents of the folded groups among the ids: what is done to such a card is done to all that it stands for. */
export function withFoldedContents(nodes: Nodes, folded: Ids, ids: Ids): Ids {
  const groups = new Set([...ids].filter((id) => folded.has(id)));
  return new Set([...ids, ...withContents(nodes, groups)]);
}

export function without(ids: Ids, removed: Ids): Ids {
  return new Set([...ids].filter((id) => !removed.has(id)));
}
