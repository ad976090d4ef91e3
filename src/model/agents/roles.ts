import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import { kindOf } from '../../../rules/node-kinds.ts';

/** One hue for each role, the same on nodes, in the menu, the console and the timeline. */
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

/** The roles of new agents, by the server's names. Each has its own hue. W3.03 */
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

/** A cache of normalised role names: there are few, and each drawn node needs one. */
const keys = new Map<string, string>();
const keysKept = 1_000;

/** Normalises a role's name for lookups, in any case. */
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

/** Returns the hue of a role's name, in any case; grey for an unknown role. W3.03 */
export function roleHue(role: string | undefined): Hue {
  return hueByRole[roleKey(role)] ?? 'grey';
}

/** The colours of notes and groups. */
export const annotationHues = ['amber', 'rose', 'violet', 'sky', 'emerald', 'slate'] as const satisfies readonly Hue[];

/** The colours of users. */
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

/** Returns the hue of a user of the default menu by its key; slate for other users. W2.11 */
export function userHue(key: string | undefined): UserHue {
  return hueByUser[key ?? ''] ?? 'slate';
}

type ColouredNode = Pick<CanvasNode, 'type' | 'name' | 'role' | 'isUser'> & { color?: { background: string } | undefined };

/** Returns the hue of a canvas node: by its type or role, of users, notes and groups by their own colour. */
export function nodeHue(node: ColouredNode): Hue {
  const { hue } = kindOf(node);
  const own = hue === 'role' ? roleHue(node.role) : hue;
  if (isAnnotation(node)) return annotationHues.find((one) => one === node.color?.background) ?? own;
  if (node.isUser) return userHues.find((hue) => hue === node.color?.background) ?? userHue(node.name);
  return own;
}
