import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { isGroup } from '../../../../rules/card.ts';
import { overlaps, type Point, type Rect } from '../../../canvas/geometry/camera.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';

/** The step between two tried places (world px), and the number of rings of them. */
const step = 60;
const rings = 12;
/** The distance to other nodes (world px). */
const gap = 20;

/** Returns the free place nearest to a point for a box of this size (world px, top-left), else the point. Groups count as free space. */
export function freeSpot(middle: Point, size: { width: number; height: number }, nodes: CanvasDocument['nodes']): Point {
  const home = { x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
  const reach = rings * step;
  const around = boxAt({ x: home.x - reach, y: home.y - reach }, { width: size.width + 2 * reach, height: size.height + 2 * reach });
  const near: Rect[] = [];
  for (const id in nodes) {
    const node = nodes[id];
    if (!node || isGroup(node)) continue;
    const box = nodeBox(node);
    if (overlaps(box, around)) near.push(box);
  }
  for (const { x, y } of offsets) {
    const place = { x: home.x + x, y: home.y + y };
    const box = boxAt({ x: place.x - gap, y: place.y - gap }, { width: size.width + 2 * gap, height: size.height + 2 * gap });
    if (!near.some((other) => overlaps(other, box))) return place;
  }
  return home;
}

/** From the middle outwards. */
const offsets: readonly Point[] = Array.from({ length: (2 * rings + 1) ** 2 }, (_, at) => ({
  x: ((at % (2 * rings + 1)) - rings) * step,
  y: (Math.floor(at / (2 * rings + 1)) - rings) * step,
})).sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));

function boxAt({ x, y }: Point, { width, height }: { width: number; height: number }): Rect {
  return { left: x, top: y, right: x + width, bottom: y + height };
}
