import type { CanvasNode } from '../contract/canvas.ts';

/** True for cards that stand for an agent which works in a run. */
export function isAgentCard(node: CanvasNode): boolean {
  return node.type === 'agent' && !node.isUser;
}

/** What to call a card in a message. */
export function nameOf(node: Pick<CanvasNode, 'id' | 'title' | 'name'>): string {
  return node.title?.trim() || node.name?.trim() || node.id;
}
