import type { CanvasNode } from '../../contract/canvas.ts';

export type Size = { width: number; height: number };

const agentSize: Size = { width: 280, height: 156 };
const startSize: Size = { width: 200, height: 68 };
/** A dialog is shown open for writing, which takes more than the 240 x 150 of its closed form. */
const dialogSize: Size = { width: 280, height: 236 };

/** Width and height of a node's card in world px, by rule and never by measuring. W3.01 */
export function nodeSize(node: Pick<CanvasNode, 'type'>): Size {
  switch (node.type) {
    case 'agent':
    case 'flow':
      return agentSize;
    case 'start':
    case 'trigger':
      return startSize;
    case 'dialog':
      return dialogSize;
  }
}

/** World px of the out port (right edge) and the in port (left edge), both at half the card's height. */
export function portPosition(node: Pick<CanvasNode, 'type' | 'x' | 'y'>, port: 'in' | 'out'): { x: number; y: number } {
  const { width, height } = nodeSize(node);
  return { x: port === 'out' ? node.x + width : node.x, y: node.y + height / 2 };
}
