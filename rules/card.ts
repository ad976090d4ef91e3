import type { CanvasNode } from '../contract/canvas.ts';

/** True for nodes whose agent works in a run. */
export function isAgentCard(node: CanvasNode): boolean {
  return node.type === 'agent' && !node.isUser;
}

/** True for an agent's card that takes part in runs: the user has not left it out. */
export function isWorkingAgent(node: CanvasNode): boolean {
  return isAgentCard(node) && !node.disabled;
}

/** True for a user's card that asks a person in a run. */
export function isPersonCard({ type, isUser, step }: Pick<CanvasNode, 'type' | 'isUser' | 'step'>): boolean {
  return type === 'agent' && isUser === true && step?.person !== undefined;
}

/** True for nodes that are steps of a run, of an agent or of a person. A card that is left out is passed through. */
export function isStepCard(node: CanvasNode): boolean {
  return !node.disabled && (isAgentCard(node) || isPersonCard(node));
}

/** True for notes and groups, which take no part in a run. */
export function isAnnotation(node: Pick<CanvasNode, 'type'>): boolean {
  return node.type === 'note' || node.type === 'group';
}

/** Whether a card has a title, of its own or from the locales. */
export function hasTitle(node: Pick<CanvasNode, 'title' | 'titleKey'>): boolean {
  return Boolean(node.title?.trim() || node.titleKey);
}

/** Whether an agent's card has a title or a name, without which it takes no part in a run. W5.03 W5.04 */
export function isNamed(node: Pick<CanvasNode, 'title' | 'titleKey' | 'name'>): boolean {
  return hasTitle(node) || Boolean(node.name?.trim());
}

/** The name of a node in a message. */
export function nameOf(node: Pick<CanvasNode, 'id' | 'title' | 'name'>): string {
  return node.title?.trim() || node.name?.trim() || node.id;
}
