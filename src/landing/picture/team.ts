import type { AgentCardProps } from './agent-card.tsx';

/** The agents of the landing page's pictures. Their words are texts under `picture.<member>`. */
export const team = {
  assistant: { hue: 'orange', icon: 'assistant', model: 'gpt-4' },
  product: { hue: 'violet', icon: 'product', model: 'gpt-4' },
  project: { hue: 'indigo', icon: 'project', model: 'gpt-4' },
  lead: { hue: 'sky', icon: 'architect', model: 'gpt-4' },
  frontend: { hue: 'cyan', icon: 'frontend', model: 'gpt-4-turbo' },
  backend: { hue: 'emerald', icon: 'backend', model: 'gpt-4-turbo' },
} as const satisfies Record<string, Pick<AgentCardProps, 'hue' | 'icon' | 'model'>>;

export type TeamMember = keyof typeof team;

/** What the agents write to each other; the texts are under `picture.talk`. */
export const teamMessages = [
  { from: 'assistant', to: 'product', time: '14:02', text: 'first' },
  { from: 'product', to: 'project', time: '14:03', text: 'second' },
  { from: 'project', to: 'lead', time: '14:04', text: 'third' },
] as const satisfies readonly { from: TeamMember; to: TeamMember; time: string; text: string }[];
