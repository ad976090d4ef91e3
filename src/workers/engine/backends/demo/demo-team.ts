import { type Agent, contextAccessLevels, modelDefaults, withoutServer } from '../../../../../contract/agent.ts';
import type { DemoTexts } from './demo-texts.ts';

/** An agent's fixed statistics: all commands, failed ones, and the mean time of one (ms). W9.05 */
type DemoMember = {
  name: string;
  role: string;
  priority: number;
  temperature: number;
  commands: number;
  failed: number;
  averageMs: number;
};

/** The six agents in the order of the script: 150 commands in all, of which 142 succeeded. */
const demoTeam = {
  assistant: { name: 'assistant', role: 'assistant', priority: 7, temperature: 0.7, commands: 30, failed: 0, averageMs: 14_000 },
  product: { name: 'prod-mgr', role: 'ProductManager', priority: 9, temperature: 0.7, commands: 24, failed: 1, averageMs: 41_000 },
  project: { name: 'proj-mgr', role: 'ProjectManager', priority: 8, temperature: 0.6, commands: 22, failed: 1, averageMs: 47_000 },
  lead: { name: 'team-lead', role: 'TechnicalArchitect', priority: 9, temperature: 0.5, commands: 26, failed: 1, averageMs: 58_000 },
  frontend: { name: 'frontend', role: 'Frontend', priority: 8, temperature: 0.3, commands: 25, failed: 2, averageMs: 43_000 },
  backend: { name: 'backend', role: 'Backend', priority: 8, temperature: 0.3, commands: 23, failed: 3, averageMs: 44_000 },
} as const satisfies Record<string, DemoMember>;

export type DemoAgentKey = keyof typeof demoTeam;

export const demoAgentKeys = Object.keys(demoTeam) as DemoAgentKey[];

export const demoUserId = 'demo-user';

/** The id of an agent, which its card has too. */
export function demoAgentId(key: DemoAgentKey | 'dialog'): string {
  return `demo-${key}`;
}

/** The member of the team that an agent's id names; undefined for others, such as a person. */
export function memberOf(agentId: string): DemoMember | undefined {
  const key = demoAgentKeys.find((known) => demoAgentId(known) === agentId);
  return key && demoTeam[key];
}

/** `at`: when they were created, ISO 8601. */
export function demoAgents({ agents }: DemoTexts, at: string): Agent[] {
  return demoAgentKeys.map((key) => {
    const { name, role, priority, temperature } = demoTeam[key];
    const { title, description, specialization, skills, prompt } = agents[key];
    return {
      id: demoAgentId(key),
      name,
      title,
      description,
      role,
      status: 1,
      contextAccessLevel: contextAccessLevels.everything,
      specialization,
      skills,
      priority,
      iconType: '',
      configuration: { systemPrompt: prompt, plan: '' },
      apiConfiguration: {
        ...modelDefaults,
        temperature,
        providerType: 'simulated',
        model: 'simulated',
        ...withoutServer,
      },
      userId: demoUserId,
      createdAt: at,
      updatedAt: at,
    };
  });
}
