import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';
import { withContents } from './annotations.ts';

/** The mark of a text with nodes of this product. */
const mark = { artel: 'canvas', version: 1 } as const;

/** Returns nodes and the links between them as a text for `readCanvasText`, groups with their contents. Unknown ids are skipped. */
export function writeCanvasText({ nodes, connections }: CanvasDocument, chosen: ReadonlySet<string>): string {
  const nodeIds = withContents(nodes, chosen);
  const inside = (link: Connection) => nodeIds.has(link.from.agentId) && nodeIds.has(link.to.agentId);
  return JSON.stringify({
    ...mark,
    nodes: [...nodeIds].flatMap((id) => nodes[id] ?? []),
    connections: Object.values(connections).filter(inside),
  });
}
