import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';

/**
 * The document without links that no canvas may have: to a card that is not there, or a second one between the same two
 * cards in the same direction. A change is taken as it comes, since its parts may arrive in any order and two devices may
 * each be right alone; whoever reads gets a sound canvas.
 */
export function withSoundLinks({ nodes, connections }: CanvasDocument): CanvasDocument {
  const pairs = new Set<string>();
  const isSound = ({ from, to }: Connection) => {
    const pair = JSON.stringify([from.agentId, to.agentId]);
    if (pairs.has(pair) || !Object.hasOwn(nodes, from.agentId) || !Object.hasOwn(nodes, to.agentId)) return false;
    pairs.add(pair);
    return true;
  };
  return { nodes, connections: Object.fromEntries(Object.entries(connections).filter(([, connection]) => isSound(connection))) };
}
