import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Point } from './camera.ts';

/**
 * Nodes that a layout has moved: the offset of each from its new place at the start (world px). `remaining` is the share of it that is
 * left, 1 to 0.
 */
export type LayoutTween = { offsets: ReadonlyMap<string, Point>; remaining: number };

/** Returns a node's current offset from its place in the document, world px. */
export function tweenOffset(tween: LayoutTween | null, nodeId: string): Point {
  const offset = tween?.offsets.get(nodeId);
  return tween && offset ? { x: offset.x * tween.remaining, y: offset.y * tween.remaining } : atPlace;
}

const atPlace: Point = { x: 0, y: 0 };

/** Returns the document with the nodes of a tween at their current places. Only lookups by id work on it: it does not copy the other nodes. */
export function documentInTween(document: CanvasDocument, tween: LayoutTween): CanvasDocument {
  const nodes: Record<string, CanvasNode> = Object.create(document.nodes);
  for (const id of tween.offsets.keys()) {
    const node = document.nodes[id];
    if (!node) continue;
    const { x, y } = tweenOffset(tween, id);
    nodes[id] = { ...node, x: node.x + x, y: node.y + y };
  }
  return { ...document, nodes };
}
