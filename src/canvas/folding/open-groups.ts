import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { CanvasView } from '../canvas-view.ts';
import { openedFor } from './fold-changes.ts';

/** Opens the folded groups that hide these nodes. */
export function openGroups(view: CanvasView, nodes: CanvasDocument['nodes'], nodeIds: Iterable<string>): void {
  view.update({ folded: openedFor(nodes, view.ephemeral.folded, nodeIds) });
}

/** Opens the folded groups that hide an end of these links. */
export function openGroupsOfLinks(view: CanvasView, { nodes, connections }: CanvasDocument, linkIds: Iterable<string>): void {
  const ends = [...linkIds].flatMap((id) => connections[id] ?? []).flatMap(({ from, to }) => [from.agentId, to.agentId]);
  openGroups(view, nodes, ends);
}
