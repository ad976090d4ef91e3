import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Rect } from './camera.ts';
import { linkEnd } from './link-end.ts';
import { linkExtent } from './link-path.ts';

/** A card's bounding box, world px. */
export function nodeBox(node: CanvasNode): Rect {
  const { width, height } = nodeSize(node);
  return { left: node.x, top: node.y, right: node.x + width, bottom: node.y + height };
}

/** A link's bounding box, including a detour round its cards. World px. */
export function linkBox(from: CanvasNode, to: CanvasNode): Rect {
  return linkExtent(linkEnd(from, 'out'), linkEnd(to, 'in'));
}

/** The box round all cards and links (world px); null on an empty canvas. */
export function documentBounds({ nodes, connections }: CanvasDocument): Rect | null {
  let bounds = nodesBounds(nodes);
  for (const id in connections) {
    const link = connections[id];
    const from = link && nodes[link.from.agentId];
    const to = link && nodes[link.to.agentId];
    if (from && to) bounds = unionBox(bounds, linkBox(from, to));
  }
  return bounds;
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
