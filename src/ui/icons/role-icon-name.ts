import type { CanvasNode } from '../../../contract/canvas.ts';
import { kindOf } from '../../../rules/node-kinds.ts';

/** The icons of roles and kinds of nodes. */
export type RoleIconName =
  | 'project'
  | 'product'
  | 'architect'
  | 'analyst'
  | 'developer'
  | 'frontend'
  | 'backend'
  | 'devops'
  | 'qa'
  | 'ux'
  | 'assistant'
  | 'trigger'
  | 'dialog'
  | 'user'
  | 'note'
  | 'group'
  | 'unknown';

const iconByRole: Record<string, RoleIconName> = {
  projectmanager: 'project',
  productowner: 'product',
  productmanager: 'product',
  technicalarchitect: 'architect',
  businessanalyst: 'analyst',
  developer: 'developer',
  frontend: 'frontend',
  backend: 'backend',
  devops: 'devops',
  qa: 'qa',
  ux: 'ux',
  assistant: 'assistant',
  trigger: 'trigger',
  user: 'user',
};

/** Returns the icon of a role's name, ignoring case; `unknown` for an unknown role. */
export function roleIconName(role: string | undefined): RoleIconName {
  return iconByRole[(role ?? '').toLowerCase()] ?? 'unknown';
}

/** Returns the icon of a node: of users their own, else by type or role. */
export function nodeIconName(node: Pick<CanvasNode, 'type' | 'role' | 'isUser'>): RoleIconName {
  if (node.isUser) return 'user';
  const { icon } = kindOf(node);
  return icon === 'role' ? roleIconName(node.role) : icon;
}
