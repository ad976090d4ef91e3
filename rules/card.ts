import type { CanvasNode, NodeType } from '../contract/canvas.ts';
import { kindOf, type NodeKind, type TypeWith } from './node-kinds.ts';

type Typed = { type: NodeType } | null | undefined;
type NodeOf<Kind> = CanvasNode & { type: TypeWith<Kind> };

/** True for the cards of agents and people; also of those that runs pass by. */
export function isAgentOrPerson(node: Typed): node is NodeOf<{ run: 'step' }> {
  return runOf(node) === 'step';
}

export function isDialog(node: Typed): node is NodeOf<{ run: 'dialog' }> {
  return runOf(node) === 'dialog';
}

export function isStart(node: Typed): node is NodeOf<{ run: 'start' }> {
  return runOf(node) === 'start';
}

/** True for dialogs and start cards, which runs begin with. */
export function isStarter(node: Typed): node is NodeOf<{ run: 'dialog' | 'start' }> {
  return isDialog(node) || isStart(node);
}

/** True for notes and groups, which take no part in a run. */
export function isAnnotation(node: Typed): boolean {
  return runOf(node) === 'annotation';
}

/** True for nodes that contain others. */
export function isGroup(node: Typed): node is NodeOf<{ isGroup: true }> {
  return node ? kindOf(node)?.isGroup === true : false;
}

/** True for annotations that contain nothing. They are named by their description. */
export function isNote(node: Typed): boolean {
  return isAnnotation(node) && !isGroup(node);
}

/** Undefined also for an unknown type, which a document that is checked may have. */
function runOf(node: Typed): NodeKind['run'] | undefined {
  return node ? kindOf(node)?.run : undefined;
}

/** True for nodes whose agent works in a run. */
export function isAgentCard(node: CanvasNode): boolean {
  return isAgentOrPerson(node) && !node.isUser;
}

/** True for an agent's card that takes part in runs: the user has not left it out. */
export function isWorkingAgent(node: CanvasNode): boolean {
  return isAgentCard(node) && !node.disabled;
}

/** True for a user's card that asks a person in a run. */
export function isPersonCard(node: Pick<CanvasNode, 'type' | 'isUser' | 'step'>): boolean {
  return isAgentOrPerson(node) && node.isUser === true && node.step?.person !== undefined;
}

/** True for nodes that are steps of a run, of an agent or of a person. A card that is left out is passed through. */
export function isStepCard(node: CanvasNode): boolean {
  return !node.disabled && (isAgentCard(node) || isPersonCard(node));
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
