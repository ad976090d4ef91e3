import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { nodeSize, type Size } from './node-size.ts';

/** World px between a group's edge and its contents. */
export const groupPadding = 32;

export type Box = { x: number; y: number; width: number; height: number };

/** Returns the smallest box around all of these boxes; null for none. */
export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const edge = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of boxes) {
    edge.left = Math.min(edge.left, x);
    edge.top = Math.min(edge.top, y);
    edge.right = Math.max(edge.right, x + width);
    edge.bottom = Math.max(edge.bottom, y + height);
  }
  return { x: edge.left, y: edge.top, width: edge.right - edge.left, height: edge.bottom - edge.top };
}

/** Returns the box of a group around at least one node (world px). */
export function groupBox(nodes: readonly CanvasNode[]): Box {
  return padded(boundsOf(nodes.map(boxOf)) as Box);
}

/** Returns the box of a group whose contents have this box. */
export function padded({ x, y, width, height }: Box): Box {
  return { x: x - groupPadding, y: y - groupPadding, width: width + 2 * groupPadding, height: height + 2 * groupPadding };
}

/** Adds the contents of the groups among the ids: nodes and notes by their centres, groups that lie inside completely. */
export function withContents(nodes: CanvasDocument['nodes'], ids: ReadonlySet<string>): ReadonlySet<string> {
  const groups = [...ids].flatMap((id) => (isGroup(nodes[id]) ? [nodes[id]] : []));
  if (groups.length === 0) return ids;
  const all = new Set(ids);
  for (const group of groups) {
    const outer = boxOf(group);
    for (const id in nodes) {
      const node = nodes[id];
      if (node && node !== group && liesIn(node, outer)) all.add(id);
    }
  }
  return all;
}

/** Whether a node lies in a group with this box. */
export function liesIn(node: CanvasNode, outer: Box): boolean {
  const box = boxOf(node);
  if (isGroup(node)) {
    const isWithin =
      box.x >= outer.x && box.y >= outer.y && box.x + box.width <= outer.x + outer.width && box.y + box.height <= outer.y + outer.height;
    return isWithin && areaOf(box) < areaOf(outer);
  }
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return x >= outer.x && x <= outer.x + outer.width && y >= outer.y && y <= outer.y + outer.height;
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}

export function boxOf(node: CanvasNode): Box {
  return { x: node.x, y: node.y, ...nodeSize(node) };
}
