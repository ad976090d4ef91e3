import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { Size } from '../../model/document/node-size.ts';

/**
 * A folded group as the canvas shows it: a card at the top-left corner of the group, in place of `count` cards and notes. `names`: the titles of
 * the first cards. `frame`: its size when open.
 */
export type FoldedGroup = CanvasNode & { folded: { count: number; names: string; frame: Size } };

/** Several links with the same two ends, of which one is a folded group, as the one line that is shown. `merged`: their ids. */
type MergedLink = Connection & { merged: readonly string[] };

export function isFolded(node: CanvasNode): node is FoldedGroup {
  return 'folded' in node;
}

/** Whether a node is drawn and hit as a card: all but notes and groups that are not folded. */
export function isCard(node: CanvasNode): boolean {
  return isFolded(node) || !isAnnotation(node);
}

export function isMerged(link: Connection): link is MergedLink {
  return 'merged' in link;
}

/** The ids of the links that a shown line stands for. */
export function linksBehind(link: Connection): readonly string[] {
  return isMerged(link) ? link.merged : [link.id];
}
