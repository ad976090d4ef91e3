import type { RoleHue } from '../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../ui/icons/role-icon-name.ts';

/** The static agents of the page; their words, from name to system prompt, are texts under `agents.<key>`. */
export type DisplayAgent = {
  key: 'product' | 'project' | 'teamLead' | 'developer' | 'qa' | 'analyst';
  isCore: boolean;
  status: 'active';
  /** Out of 10. */
  priority: number;
  icon: RoleIconName;
  hue: RoleHue;
  apiConfiguration: { providerType: 'openai'; model: 'gpt-4'; temperature: number; maxTokens: 4000 };
};

export const priorityScale = 10;

export const displayAgents: readonly DisplayAgent[] = [
  { key: 'product', isCore: true, status: 'active', priority: 9, icon: 'product', hue: 'violet', apiConfiguration: gpt4(0.7) },
  { key: 'project', isCore: true, status: 'active', priority: 8, icon: 'project', hue: 'indigo', apiConfiguration: gpt4(0.6) },
  { key: 'teamLead', isCore: true, status: 'active', priority: 9, icon: 'architect', hue: 'sky', apiConfiguration: gpt4(0.5) },
  { key: 'developer', isCore: true, status: 'active', priority: 8, icon: 'developer', hue: 'blue', apiConfiguration: gpt4(0.3) },
  { key: 'qa', isCore: false, status: 'active', priority: 7, icon: 'qa', hue: 'rose', apiConfiguration: gpt4(0.4) },
  { key: 'analyst', isCore: false, status: 'active', priority: 7, icon: 'analyst', hue: 'teal', apiConfiguration: gpt4(0.6) },
];

function gpt4(temperature: number): DisplayAgent['apiConfiguration'] {
  return { providerType: 'openai', model: 'gpt-4', temperature, maxTokens: 4000 };
}
