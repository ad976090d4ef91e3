import type { AgentCardProps } from './agent-card.tsx';

/** Who stands on the landing page's pictures. Their words are texts under `picture.<member>`. */
export const team = {
  product: { hue: 'violet', icon: 'product', model: 'gpt-6.1-terra' },
  lead: { hue: 'sky', icon: 'architect', model: 'claude-sonnet-5-5' },
  frontend: { hue: 'cyan', icon: 'frontend', model: 'gpt-6.1-terra' },
  backend: { hue: 'emerald', icon: 'backend', model: 'gpt-6.1-terra' },
  qa: { hue: 'rose', icon: 'qa', model: 'claude-sonnet-5-5' },
  person: { hue: 'slate', icon: 'user', model: '' },
} as const satisfies Record<string, Pick<AgentCardProps, 'hue' | 'icon' | 'model'>>;

export type TeamMember = keyof typeof team;

/** What the team writes to each other; the texts are under `picture.talk`. */
export const teamMessages = [
  { from: 'lead', to: 'backend', time: '14:02', text: 'first' },
  { from: 'qa', to: 'lead', time: '14:03', text: 'second' },
  { from: 'qa', to: 'person', time: '14:05', text: 'third' },
] as const satisfies readonly { from: TeamMember; to: TeamMember; time: string; text: string }[];
