import type { CanvasNode } from '../contract/canvas.ts';

/** True for cards that stand for an agent which works in a run. */
export function isAgentCard(node: CanvasNode): boolean {
  return node.type === 'agent' && !node.isUser;
}

/** True for notes and groups, which stand on the canvas beside the cards and take no part in a run. */
export function isAnnotation(node: Pick<CanvasNode, 'type'>): boolean {
  return node.type === 'note' || node.type === 'group';
}

/** What to call a card in a message. */
export function nameOf(node: Pick<CanvasNode, 'id' | 'title' | 'name'>): string {
  return node.title?.trim() || node.name?.trim() || node.id;
}
