import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { LinkEnd } from './link-path.ts';

/** A port of a node at half its height, in at the left edge and out at the right, with the vertical extent of its card; moved by `dx`, `dy` (world px). */
export function linkEnd(node: Pick<CanvasNode, 'type' | 'x' | 'y' | 'width' | 'height'>, port: 'in' | 'out', dx = 0, dy = 0): LinkEnd {
  const { width, height } = nodeSize(node);
  const x = port === 'out' ? node.x + width : node.x;
  return { x: x + dx, y: node.y + height / 2 + dy, top: node.y + dy, bottom: node.y + height + dy };
}

/** The end of a link that is still being drawn: a bare point. */
export function looseEnd(x: number, y: number): LinkEnd {
  return { x, y, top: y, bottom: y };
}
