import type { CanvasNode } from '../../../contract/canvas.ts';
import { kindOf, nodeKinds } from '../../../rules/node-kinds.ts';

export type Size = { width: number; height: number };

/** The size of a folded group, at the top-left corner of its frame: that of an agent's card. */
export const foldedSize: Size = nodeKinds.agent.size;

/** Returns a node's width and height in world px, by rule and never by measuring. W3.01 */
export function nodeSize(node: Pick<CanvasNode, 'type' | 'width' | 'height'>): Size {
  const { run, size } = kindOf(node);
  return run === 'annotation' ? { width: node.width ?? size.width, height: node.height ?? size.height } : size;
}
