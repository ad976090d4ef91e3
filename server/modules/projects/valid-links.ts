import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';

/**
 * Returns the document without invalid links: to a missing node, or a second link between the same two nodes in the same direction. Writes
 * are not checked for this, since the parts of a change may arrive in any order. And two devices may make changes that are only invalid
 * together.
 */
export function withValidLinks({ nodes, connections }: CanvasDocument): CanvasDocument {
  const pairs = new Set<string>();
  const isValid = ({ from, to }: Connection) => {
    const pair = JSON.stringify([from.agentId, to.agentId]);
    if (pairs.has(pair) || !Object.hasOwn(nodes, from.agentId) || !Object.hasOwn(nodes, to.agentId)) return false;
    pairs.add(pair);
    return true;
  };
  return { nodes, connections: Object.fromEntries(Object.entries(connections).filter(([, connection]) => isValid(connection))) };
}
