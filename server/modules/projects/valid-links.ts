import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';

/**
 * Returns the document without invalid links: to a missing node, or a second link between the same two nodes in the same direction. Writes
 * are not checked for this, since the parts of a change may arrive in any order. And two devices may make changes that are only invalid
 * together.
 */
export function withValidLinks({ nodes, connections }: CanvasDocument): CanvasDocument {
  const linked = new Map<string, Set<string>>();
  const isValid = ({ from, to }: Connection) => {
    const targets = linked.get(from.agentId) ?? new Set();
    if (targets.has(to.agentId) || !Object.hasOwn(nodes, from.agentId) || !Object.hasOwn(nodes, to.agentId)) return false;
    linked.set(from.agentId, targets.add(to.agentId));
    return true;
  };
  return { nodes, connections: Object.fromEntries(Object.entries(connections).filter(([, connection]) => isValid(connection))) };
}
