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

/** Returns the icon of a node: triggers, dialogs and users by kind, agents by role. */
export function nodeIconName(node: { type: string; role?: string | undefined; isUser?: boolean | undefined }): RoleIconName {
  if (node.isUser) return 'user';
  if (node.type === 'dialog' || node.type === 'note' || node.type === 'group') return node.type;
  return node.type === 'agent' ? roleIconName(node.role) : 'trigger';
}
