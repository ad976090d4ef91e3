/** One hue a role, followed from card to menu, console and timeline. */
export const hues = [
  'indigo',
  'violet',
  'sky',
  'teal',
  'blue',
  'cyan',
  'emerald',
  'amber',
  'rose',
  'pink',
  'orange',
  'lime',
  'slate',
  'grey',
] as const;
export type Hue = (typeof hues)[number];

/** The roles that an agent can be made with, as the server knows them. Each has a hue of its own. W3.03 */
export const agentRoles = [
  'ProductManager',
  'ProductOwner',
  'ProjectManager',
  'TechnicalArchitect',
  'BusinessAnalyst',
  'Developer',
  'Frontend',
  'Backend',
  'DevOps',
  'QA',
  'UX',
  'assistant',
] as const;

const hueByRole: Record<string, Hue> = {
  projectmanager: 'indigo',
  productowner: 'violet',
  productmanager: 'violet',
  technicalarchitect: 'sky',
  businessanalyst: 'teal',
  developer: 'blue',
  frontend: 'cyan',
  backend: 'emerald',
  devops: 'amber',
  qa: 'rose',
  ux: 'pink',
  assistant: 'orange',
  trigger: 'lime',
  user: 'slate',
};

/** The names of roles are few, and each is asked for with every card that is drawn. */
const keys = new Map<string, string>();
const keysKept = 1_000;

/** A role's name as it is looked up by, whatever its case. */
export function roleKey(role: string | undefined): string {
  if (role === undefined) return '';
  let key = keys.get(role);
  if (key === undefined) {
    key = role.toLowerCase();
    if (keys.size >= keysKept) keys.clear();
    keys.set(role, key);
  }
  return key;
}

/** The hue of a role's name, in any case; grey for one nobody knows. W3.03 */
export function roleHue(role: string | undefined): Hue {
  return hueByRole[roleKey(role)] ?? 'grey';
}

/** What a note or a group can be coloured. */
export const annotationHues = ['amber', 'rose', 'violet', 'sky', 'emerald', 'slate'] as const satisfies readonly Hue[];

/** What a person can be coloured. */
export const userHues = [
  'rose',
  'blue',
  'indigo',
  'orange',
  'amber',
  'emerald',
  'teal',
  'violet',
  'pink',
  'slate',
] as const satisfies readonly Hue[];
export type UserHue = (typeof userHues)[number];

const hueByUser: Record<string, UserHue> = { tester: 'rose', developer: 'blue', 'project-manager': 'indigo', assistant: 'orange' };

/** The hue of the people whom every menu has, by their key; slate for anybody else. W2.11 */
export function userHue(key: string | undefined): UserHue {
  return hueByUser[key ?? ''] ?? 'slate';
}

/** The hue of a canvas node: triggers and dialogs lime, agents by role; users, notes and groups as they were coloured. */
export function nodeHue(node: {
  type: string;
  name?: string | undefined;
  role?: string | undefined;
  isUser?: boolean | undefined;
  color?: { background: string } | undefined;
}): Hue {
  if (node.type === 'note' || node.type === 'group') {
    const chosen = annotationHues.find((hue) => hue === node.color?.background);
    return chosen ?? (node.type === 'note' ? 'amber' : 'slate');
  }
  if (node.isUser) return userHues.find((hue) => hue === node.color?.background) ?? userHue(node.name);
  return node.type === 'agent' ? roleHue(node.role) : 'lime';
}
