import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../node-size.ts';
import { layeredLayout } from './layered-layout.ts';
import type { Places } from './layout-box.ts';

/** Where the cards of a canvas go (world px, top-left), those with the given ids or all; only links between them count. */
export function layoutOf({ nodes, connections }: CanvasDocument, nodeIds: readonly string[] | null): Places {
  const chosen: CanvasNode[] = nodeIds ? [...new Set(nodeIds)].flatMap((id) => nodes[id] ?? []) : Object.values(nodes);
  const links = Object.values(connections).map(({ from, to }) => ({ from: from.agentId, to: to.agentId }));
  return layeredLayout(
    chosen.map((node) => ({ id: node.id, x: node.x, y: node.y, ...nodeSize(node) })),
    links,
  );
}
