import { type TeamKey, teamRoles } from '../../../contract/flow-templates.ts';
import type { Problem } from '../../model/problem.ts';
import { loadAgents } from './agents.ts';
import type { Backend } from './backends/port.ts';
import type { Environment } from './environment.ts';
import type { Store } from './store/store.ts';

/** How long an account may turn out to have no agents before it gets some. W4.15 */
export const fallbackAfterMs = 3_000;
const fallbackTeam = ['prod-mgr', 'proj-mgr', 'developer'] as const satisfies TeamKey[];
/** Tabs that find the same account empty within so long make each agent once. */
const onceWithinMs = 600_000;

/**
 * Gives an account without agents the three that a small team begins with, and answers what to tell of it. Null where there are
 * agents, or where nobody knows whether there are.
 */
export async function createFallbackAgents(
  store: Store,
  backend: Backend,
  { now }: Pick<Environment, 'now'>,
  language: string,
): Promise<Problem | null> {
  const { agents, project } = store.state;
  if (agents.status !== 'ready' || agents.order.length > 0 || !project) return null;
  const { default: seed } = await (language.toLowerCase().startsWith('en')
    ? import('../../../locales/en/seed.json', { with: { type: 'json' } })
    : import('../../../locales/ru/seed.json', { with: { type: 'json' } }));
  for (const name of fallbackTeam) {
    const { systemPrompt, ...words } = seed.agents[name];
    const agent = { ...words, name, title: seed.fallbackTitles[name], role: teamRoles[name], configuration: { systemPrompt } };
    const created = await backend.createAgent(agent, {
      idempotencyKey: `fallback-${project.userId}-${name}-${Math.floor(now() / onceWithinMs)}`,
    });
    if (!created.ok) return created.fault.problem;
  }
  const problem = await loadAgents(store, backend);
  return problem ?? { code: 'agent.fallbackCreated' };
}
