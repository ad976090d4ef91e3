import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Point } from './camera.ts';

/** Nodes on the way to where the document has them: how much of it lay before each at the start (world px), and what share of that is `left`, 1 to 0. */
export type Glide = { way: ReadonlyMap<string, Point>; left: number };

/** World px that a node is from where the document has it. */
export function offPlace(glide: Glide | null, nodeId: string): Point {
  const way = glide?.way.get(nodeId);
  return glide && way ? { x: way.x * glide.left, y: way.y * glide.left } : atPlace;
}

const atPlace: Point = { x: 0, y: 0 };

/** The document with the nodes of a glide where they are now: what is looked up in it by id, since it holds no copy of all the others. */
export function onTheWay(document: CanvasDocument, glide: Glide): CanvasDocument {
  const nodes: Record<string, CanvasNode> = Object.create(document.nodes);
  for (const id of glide.way.keys()) {
    const node = document.nodes[id];
    if (!node) continue;
    const { x, y } = offPlace(glide, id);
    nodes[id] = { ...node, x: node.x + x, y: node.y + y };
  }
  return { ...document, nodes };
}
