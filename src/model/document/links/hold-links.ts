import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { type LinkHold, linkHolds } from '../../../../contract/executions/link-values.ts';
import { isStarter } from '../../../../rules/card.ts';
import type { DocumentCommand } from '../../commands.ts';

/**
 * Whether a link can hold: there is no result to hand on along a link that is taken if its source fails, and none where a run begins, at a
 * dialog or a start card. `source`: the card that the link starts from.
 */
export function canHold({ run }: Connection, source: CanvasNode | undefined): boolean {
  return !run?.onFailure && !isStarter(source);
}

/**
 * Returns the command that sets the next hold of links: off, always, once, and off again, by the first of them. Null if none of the links can
 * hold.
 */
export function nextHold(
  { nodes, connections }: CanvasDocument,
  ids: Iterable<string>,
): Extract<DocumentCommand, { type: 'links.hold' }> | null {
  const links = [...ids].flatMap((id) => connections[id] ?? []).filter((link) => canHold(link, nodes[link.from.agentId]));
  const [first] = links;
  if (!first) return null;
  const holds: readonly (LinkHold | undefined)[] = [undefined, ...linkHolds];
  return { type: 'links.hold', ids: links.map(({ id }) => id), hold: holds[(holds.indexOf(first.run?.hold) + 1) % holds.length] };
}
