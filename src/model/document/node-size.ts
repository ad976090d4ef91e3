import type { CanvasNode } from '../../../contract/canvas.ts';

export type Size = { width: number; height: number };

const agentSize: Size = { width: 280, height: 156 };
/** The size of a folded group, at the top-left corner of its frame: that of an agent's card. */
export const foldedSize = agentSize;
const startSize: Size = { width: 200, height: 68 };
/** A dialog's form is always open and needs more than 240 x 150: docs/decisions/how-large-a-dialogs-card-is.md. */
const dialogSize: Size = { width: 280, height: 236 };

/** The default sizes of notes and groups. */
const noteSize: Size = { width: 220, height: 160 };
const groupSize: Size = { width: 480, height: 320 };

/** Returns a node's width and height in world px, by rule and never by measuring. W3.01 */
export function nodeSize(node: Pick<CanvasNode, 'type' | 'width' | 'height'>): Size {
  switch (node.type) {
    case 'agent':
    case 'flow':
      return agentSize;
    case 'start':
    case 'trigger':
      return startSize;
    case 'dialog':
      return dialogSize;
    case 'note':
      return { width: node.width ?? noteSize.width, height: node.height ?? noteSize.height };
    case 'group':
      return { width: node.width ?? groupSize.width, height: node.height ?? groupSize.height };
  }
}

/** Returns the out port (right edge) and the in port (left edge) in world px, both at half the node's height. */
export function portPosition(
  node: Pick<CanvasNode, 'type' | 'x' | 'y' | 'width' | 'height'>,
  port: 'in' | 'out',
): { x: number; y: number } {
  const { width, height } = nodeSize(node);
  return { x: port === 'out' ? node.x + width : node.x, y: node.y + height / 2 };
}
