import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Rect } from './camera.ts';
import { linkEnd } from './link-end.ts';
import { backwardOffset, linkExtent } from './link-path.ts';

/** A card's bounding box, world px. */
export function nodeBox(node: CanvasNode): Rect {
  const { width, height } = nodeSize(node);
  return { left: node.x, top: node.y, right: node.x + width, bottom: node.y + height };
}

/** How far (world px) a link may go round cards above and below its ends, and beside them where it leads back. */
const detour = { across: 320, beside: 200 } as const;
/** Between ports that are nearer than that (world px) no card lies: the narrowest one is as wide. */
const narrowGap = 200;

/** The box (world px) that a link's route stays in, round whatever cards it leads. */
export function linkArea(from: CanvasNode, to: CanvasNode): Rect {
  const [start, end] = [linkEnd(from, 'out'), linkEnd(to, 'in')];
  const box = linkExtent(start, end);
  const gap = end.x - start.x;
  if (gap >= 0 && gap < narrowGap) return box;
  const beside = gap < 0 ? detour.beside - backwardOffset : 0;
  return {
    left: box.left - beside,
    top: Math.min(box.top, start.top, end.top) - detour.across,
    right: box.right + beside,
    bottom: Math.max(box.bottom, start.bottom, end.bottom) + detour.across,
  };
}

/** The box round all cards (world px), without links; null on an empty canvas. */
export function nodesBounds(nodes: CanvasDocument['nodes']): Rect | null {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const id in nodes) {
    const node = nodes[id] as CanvasNode;
    const { width, height } = nodeSize(node);
    left = Math.min(left, node.x);
    top = Math.min(top, node.y);
    right = Math.max(right, node.x + width);
    bottom = Math.max(bottom, node.y + height);
  }
  return left <= right ? { left, top, right, bottom } : null;
}

/** The box round two boxes. */
export function unionBox(a: Rect, b: Rect | null): Rect;
export function unionBox(a: Rect | null, b: Rect | null): Rect | null;
export function unionBox(a: Rect | null, b: Rect | null): Rect | null {
  if (!a || !b) return a ?? b;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
