import { type Agent, contextAccessLevels, modelDefaults, withoutServer } from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
import { type TeamKey, teamRoles } from '../../../../contract/flow-templates.ts';
import { fallbackId } from '../../../model/agents/fallback-agent.ts';
import type { Problem } from '../../../model/problem.ts';
import type { EngineContext } from '../engine-context.ts';

/** How long the workspace waits for agents before it shows the fallback agents. W4.15 */
export const fallbackAfterMs = 3_000;
const fallbackTeam = ['prod-mgr', 'proj-mgr', 'developer'] as const satisfies TeamKey[];

/**
 * Shows the three agents of a small team when no agents are known, and returns the notice about them; null when there are agents.
 * They go when the list arrives.
 */
export async function showFallbackAgents({ store, environment, language }: EngineContext, isOver: () => boolean): Promise<Problem | null> {
  if (store.state.agents.order.length > 0) return null;
  const { default: seed } = await (language().toLowerCase().startsWith('en')
    ? import('../../../../locales/en/content/seed.json', { with: { type: 'json' } })
    : import('../../../../locales/ru/content/seed.json', { with: { type: 'json' } }));
  const { agents, project } = store.state;
  if (isOver() || agents.order.length > 0 || !project) return null;
  const at = new Date(environment.now()).toISOString();
  const made = fallbackTeam.map((name): Agent => {
    const { description, specialization, skills, priority, iconType, systemPrompt } = { ...blank, ...seed.agents[name] };
    return {
      id: fallbackId(name),
      userId: project.userId,
      createdAt: at,
      updatedAt: at,
      name,
      title: seed.fallbackTitles[name],
      description,
      specialization,
      skills,
      priority,
      iconType,
      role: teamRoles[name],
      status: agentStatuses.active,
      contextAccessLevel: contextAccessLevels.additions,
      configuration: { systemPrompt, plan: '' },
      apiConfiguration: {
        ...modelDefaults,
        ...withoutServer,
      },
    };
  });
  store.update((draft) => {
    draft.agents.byId = Object.fromEntries(made.map((agent) => [agent.id, agent]));
    draft.agents.order = made.map(({ id }) => id);
  });
  return { code: 'agent.fallbackShown' };
}

const blank = { specialization: '', skills: [] as string[], priority: 5, iconType: '' };
