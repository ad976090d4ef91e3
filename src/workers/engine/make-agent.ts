import type { Agent, ApiConfiguration } from '../../../contract/agent.ts';
import { isFallback } from '../../model/agents/fallback-agent.ts';
import type { AgentConfigurationChange, CommandResult } from '../../model/commands.ts';
import { copyTitle } from '../../model/document/copy-title.ts';
import { failed, type Outcome } from '../../model/problem.ts';
import type { Answer, Backend, BackendFault } from './backends/port.ts';
import type { Environment } from './environment.ts';
import type { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';
import { twice } from './twice.ts';

type Dependencies = { store: Store; backend: Backend; environment: Pick<Environment, 'newId' | 'later'>; notices: Pick<Notices, 'show'> };

type NewAgent = Parameters<Backend['createAgent']>[0];

/** Makes an agent of the user's own; a request whose answer was lost makes no second one. R37 */
export async function makeAgent(
  dependencies: Dependencies,
  words: { title: string; role: string; description: string },
): Promise<Outcome<CommandResult>> {
  const made = await create(dependencies, { ...words, name: words.title.slice(0, 120) });
  return made.ok ? taken(dependencies.store, made.value) : refused(made.fault);
}

/** Makes another agent with the words, prompt and model settings of one that is there. The key stays behind: nobody can read it. R37 */
export async function duplicateAgent(dependencies: Dependencies, agentId: string): Promise<Outcome<CommandResult>> {
  const { store, backend, notices } = dependencies;
  const { byId, order } = store.state.agents;
  const agent = byId[agentId];
  if (!agent) return failed('agent.notFound', { id: agentId, available: order.length });
  const { name, description, role, specialization, skills, priority, contextAccessLevel, iconType, configuration } = agent;
  const title = copyTitle(
    agent.title,
    Object.values(byId).map((other) => other.title),
  );
  const made = await create(dependencies, {
    ...{ name, title, description, role, specialization, skills, priority, contextAccessLevel, iconType, configuration },
  });
  if (!made.ok) return refused(made.fault);
  const settings = settingsOf(agent.apiConfiguration);
  const configured: Answer<Agent> = same(settings, settingsOf(made.value.apiConfiguration))
    ? made
    : await backend.configureAgent(made.value, settings);
  const answer = taken(store, configured.ok ? configured.value : made.value);
  const code = !configured.ok ? 'agent.copiedWithoutSettings' : agent.apiConfiguration.hasKey ? 'agent.copiedWithoutKey' : 'agent.copied';
  notices.show({ code, params: { title } });
  return answer;
}

function create({ backend, environment }: Dependencies, agent: NewAgent): Promise<Answer<Agent>> {
  const key = { idempotencyKey: environment.newId() };
  return twice(environment, () => backend.createAgent(agent, key));
}

function settingsOf({ providerType, model, temperature, maxTokens, baseUrl, folderId }: ApiConfiguration) {
  return { providerType, model, temperature, maxTokens, baseUrl, folderId } satisfies AgentConfigurationChange;
}

function same(one: ReturnType<typeof settingsOf>, other: ReturnType<typeof settingsOf>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function taken(store: Store, agent: Agent): Outcome<CommandResult> {
  store.update(({ agents }) => {
    // The first of the account's own takes the places of those that stood in.
    for (const id of agents.order.filter(isFallback)) delete agents.byId[id];
    agents.order = agents.order.filter((id) => !isFallback(id));
    if (!agents.order.includes(agent.id)) agents.order.push(agent.id);
    agents.byId[agent.id] = agent;
  });
  return { ok: true, value: { agentId: agent.id } };
}

function refused({ problem }: BackendFault): Outcome<CommandResult> {
  return { ok: false, error: problem };
}
