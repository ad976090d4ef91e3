import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { nameOf } from '../../../../rules/card.ts';
import type { ComparisonOnCanvas } from '../../../canvas/comparison-on-canvas.ts';
import type { Comparison, DifferenceKind } from '../../../model/versions/comparison.ts';

/** A line of the list: a card or a link that differs, as it was and as it is. */
export type DifferenceItem = { id: string; kind: DifferenceKind } & (
  | { record: 'node'; before: CanvasNode | undefined; now: CanvasNode | undefined }
  | { record: 'link'; before: Connection | undefined; now: Connection | undefined; ends: readonly [from: string, to: string] }
);

/** Returns what differs in reading order: cards from top to bottom in rows, then links. */
export function differenceItems({ nodes, connections }: Comparison, document: CanvasDocument): DifferenceItem[] {
  const cards = Object.entries(nodes).map(([id, difference]): Extract<DifferenceItem, { record: 'node' }> => {
    const before = difference.kind === 'added' ? undefined : difference.before;
    return { record: 'node', id, kind: difference.kind, before, now: document.nodes[id] };
  });
  const titleOf = (id: string) => {
    const difference = nodes[id];
    const node = document.nodes[id] ?? (difference && difference.kind !== 'added' ? difference.before : undefined);
    return node ? nameOf(node) : id;
  };
  const links = Object.entries(connections).flatMap(([id, difference]): DifferenceItem[] => {
    const before = difference.kind === 'added' ? undefined : difference.before;
    const now = document.connections[id];
    const link = now ?? before;
    return link
      ? [{ record: 'link', id, kind: difference.kind, before, now, ends: [titleOf(link.from.agentId), titleOf(link.to.agentId)] }]
      : [];
  });
  return [...cards.sort(byPlace), ...links];
}

/** World px of a row: cards that are level stay in one. */
const rowHeight = 120;

function byPlace(a: Extract<DifferenceItem, { record: 'node' }>, b: Extract<DifferenceItem, { record: 'node' }>): number {
  const [one, other] = [a.now ?? a.before, b.now ?? b.before];
  if (!one || !other) return 0;
  return Math.round(one.y / rowHeight) - Math.round(other.y / rowHeight) || one.x - other.x;
}

/** Returns what the canvas shows of these items. */
export function comparisonOnCanvas(items: readonly DifferenceItem[], focusId: string | null): ComparisonOnCanvas {
  const nodes = new Map<string, DifferenceKind>();
  const links = new Map<string, DifferenceKind>();
  const ghosts = new Map<string, CanvasNode>();
  const ghostLinks: Connection[] = [];
  for (const item of items) {
    if (item.record === 'node') {
      if (item.now) nodes.set(item.id, item.kind);
      else if (item.before) ghosts.set(item.id, item.before);
    } else if (item.now) links.set(item.id, item.kind);
    else if (item.before) ghostLinks.push(item.before);
  }
  return { nodes, links, ghosts, ghostLinks, focusId };
}

/** Returns the item that many places further, from the first or the last one on if none is focused; it goes round. */
export function neighbour(items: readonly DifferenceItem[], focusId: string | null, by: 1 | -1): DifferenceItem | null {
  if (items.length === 0) return null;
  const at = items.findIndex(({ id }) => id === focusId);
  if (at < 0) return items[by > 0 ? 0 : items.length - 1] ?? null;
  return items[(at + by + items.length) % items.length] ?? null;
}
