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

/** The hue of a role's name, in any case; grey for one nobody knows. W3.03 */
export function roleHue(role: string | undefined): Hue {
  return hueByRole[(role ?? '').toLowerCase()] ?? 'grey';
}

/** The hue of a canvas node: triggers and dialogs lime, users slate, agents by role. */
export function nodeHue(node: { type: string; role?: string | undefined; isUser?: boolean | undefined }): Hue {
  if (node.isUser) return 'slate';
  return node.type === 'agent' ? roleHue(node.role) : 'lime';
}
