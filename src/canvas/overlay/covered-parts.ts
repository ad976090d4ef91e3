import type { EphemeralState } from '../canvas-view.ts';
import { isCard } from '../folding/folded-records.ts';
import { overlaps, type Rect } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/**
 * Returns the parts of a node's box that other cards cover: rectangles that do not overlap, in world px from the box's
 * top-left corner. Dragged cards lie on top of all others.
 */
export function coveredParts(id: string, index: DocumentIndex, drag: EphemeralState['drag']): Rect[] {
  const slot = index.nodes.slotOf(id);
  if (slot === undefined) return [];
  const moving = drag && !drag.copies ? drag : null;
  const isLifted = moving?.nodeIds.has(id) ?? false;
  const box = index.nodes.box(slot);
  const above: Rect[] = [];
  for (const other of index.nodes.overlapping(box)) {
    if (other <= slot) break;
    const name = index.nodes.ids[other] as string;
    if ((moving?.nodeIds.has(name) ?? false) === isLifted && isCardAt(index, name)) above.push(index.nodes.box(other));
  }
  if (moving && !isLifted) above.push(...boxesOver(box, index, moving));
  return disjoint(above.map((rect) => within(rect, box)));
}

/** Returns a CSS `clip-path` that cuts the parts out of an element; they are measured from its top-left corner. Empty without parts. */
export function clipAround(parts: readonly Rect[]): string {
  if (parts.length === 0) return '';
  const holes = parts.map(({ left, top, right, bottom }) => `M${left} ${top}H${right}V${bottom}H${left}Z`);
  return `path(evenodd, "M${-reach} ${-reach}H${reach}V${reach}H${-reach}Z${holes.join('')}")`;
}

/** World px by which a form may reach out of its box; the clip path keeps this margin. */
const reach = 4_000;

function boxesOver(box: Rect, index: DocumentIndex, { nodeIds, dx, dy }: NonNullable<EphemeralState['drag']>): Rect[] {
  const over: Rect[] = [];
  for (const id of nodeIds) {
    const slot = index.nodes.slotOf(id);
    if (slot === undefined || !isCardAt(index, id)) continue;
    const { left, top, right, bottom } = index.nodes.box(slot);
    const moved = { left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy };
    if (overlaps(box, moved)) over.push(moved);
  }
  return over;
}

function isCardAt(index: DocumentIndex, id: string): boolean {
  const node = index.nodes.get(id);
  return node !== null && isCard(node);
}

function within({ left, top, right, bottom }: Rect, box: Rect): Rect {
  return {
    left: Math.max(left, box.left) - box.left,
    top: Math.max(top, box.top) - box.top,
    right: Math.min(right, box.right) - box.left,
    bottom: Math.min(bottom, box.bottom) - box.top,
  };
}

function disjoint(rects: readonly Rect[]): Rect[] {
  const parts: Rect[] = [];
  for (const rect of rects) {
    let left = [rect];
    for (const part of [...parts]) left = left.flatMap((piece) => without(piece, part));
    parts.push(...left.filter((piece) => piece.right > piece.left && piece.bottom > piece.top));
  }
  return parts;
}

/** Cuts one rectangle out of another. Returns the remaining area as up to four rectangles. */
function without(from: Rect, cut: Rect): Rect[] {
  if (!overlaps(from, cut)) return [from];
  const top = Math.max(from.top, cut.top);
  const bottom = Math.min(from.bottom, cut.bottom);
  return [
    { ...from, bottom: top },
    { ...from, top: bottom },
    { left: from.left, top, right: Math.max(from.left, cut.left), bottom },
    { left: Math.min(from.right, cut.right), top, right: from.right, bottom },
  ].filter((piece) => piece.right > piece.left && piece.bottom > piece.top);
}
