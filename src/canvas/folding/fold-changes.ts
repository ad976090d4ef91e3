import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { boxOf, liesIn, withContents } from '../../model/document/annotations.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { FoldHomes } from './fold-homes.ts';

type Nodes = CanvasDocument['nodes'];
type FoldState = Pick<EphemeralState, 'folded' | 'selectedNodes'>;

/** What of the view changes when other groups are folded: selected cards that are no longer shown give way to their group. */
export function withFolded(nodes: Nodes, { selectedNodes }: FoldState, folded: ReadonlySet<string>): Partial<EphemeralState> {
  const homes = new FoldHomes({ nodes }, folded);
  const shown = [...selectedNodes].map((id) => (nodes[id] && homes.of(nodes[id])) ?? id);
  return { folded, selectedNodes: new Set(shown), selectedLinks: new Set(), hover: null, linkSettings: null };
}

/** Folds a group, or opens it. */
export function toggleFold(nodes: Nodes, state: FoldState, groupId: string): Partial<EphemeralState> {
  const folded = new Set(state.folded);
  if (!folded.delete(groupId)) folded.add(groupId);
  return withFolded(nodes, state, folded);
}

/** The groups that folding acts on: those among the ids, and of each other node the innermost group around it. */
export function groupsToFold(nodes: Nodes, ids: Iterable<string>): ReadonlySet<string> {
  const all = Object.values(nodes).filter(({ type }) => type === 'group');
  const groups = new Set<string>();
  for (const id of ids) {
    const node = nodes[id];
    const group = node?.type === 'group' ? node : node && innermost(node, all);
    if (group) groups.add(group.id);
  }
  return groups;
}

/** Folds these groups if one of them is open, else opens them. */
export function toggleFolds(nodes: Nodes, state: FoldState, groupIds: ReadonlySet<string>): Partial<EphemeralState> {
  const isAnyOpen = [...groupIds].some((id) => !state.folded.has(id));
  const folded = new Set(state.folded);
  for (const id of groupIds) {
    if (isAnyOpen) folded.add(id);
    else folded.delete(id);
  }
  return withFolded(nodes, state, folded);
}

export function allGroups(nodes: Nodes): ReadonlySet<string> {
  return new Set(Object.values(nodes).flatMap(({ id, type }) => (type === 'group' ? [id] : [])));
}

/** Returns the folded groups without those that hide one of these nodes; the same set if all of them are shown. */
export function openedFor(nodes: Nodes, folded: ReadonlySet<string>, nodeIds: Iterable<string>): ReadonlySet<string> {
  const shown = [...nodeIds].flatMap((id) => nodes[id] ?? []);
  const hiding = [...folded].filter((id) => {
    const group = nodes[id];
    return group?.type === 'group' && shown.some((node) => node !== group && liesIn(node, boxOf(group)));
  });
  return hiding.length === 0 ? folded : new Set([...folded].filter((id) => !hiding.includes(id)));
}

/** Adds the contents of the folded groups among the ids: what is done to such a card is done to all that it stands for. */
export function withFoldedContents(nodes: Nodes, folded: ReadonlySet<string>, ids: ReadonlySet<string>): ReadonlySet<string> {
  const groups = new Set([...ids].filter((id) => folded.has(id)));
  return groups.size === 0 ? ids : new Set([...ids, ...withContents(nodes, groups)]);
}

function innermost(node: CanvasNode, groups: readonly CanvasNode[]): CanvasNode | null {
  const around = groups.filter((group) => group !== node && liesIn(node, boxOf(group)));
  const area = (group: CanvasNode) => boxOf(group).width * boxOf(group).height;
  return around.sort((a, b) => area(a) - area(b))[0] ?? null;
}
