import type { Agent, ApiConfiguration } from '../../../../contract/agent.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { AgentConfigurationChange, CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { type Answer, type Backend, refusal } from '../backends/port.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Store } from '../store/store.ts';

/** The longest title of an agent on the server (characters). */
const maxTitleLength = 200;

type NewAgent = Parameters<Backend['createAgent']>[0];

/** Makes an agent of the user's. A request whose answer was lost makes no second one. R37 */
export async function createAgent(
  context: EngineContext,
  words: { title: string; role: string; description: string },
): Promise<Outcome<CommandResult>> {
  const made = await create(context, { ...words, name: words.title.slice(0, 120) });
  return made.ok ? showAgent(context.store, made.value) : refusal(made.fault);
}

/** Makes another agent with the words, prompt and model settings of an agent, and says so. R37 */
export async function duplicateAgent(context: EngineContext, agentId: string): Promise<Outcome<CommandResult>> {
  const copied = await copyAgent(context, agentId);
  if (!copied.ok) return copied;
  const { title, hasKey, isConfigured } = copied.value;
  const code = !isConfigured ? 'agent.copiedWithoutSettings' : hasKey ? 'agent.copiedWithoutKey' : 'agent.copied';
  context.notices.show({ code, params: { title } }, isConfigured ? 'info' : 'warning');
  return { ok: true, value: { agentId: copied.value.agentId } };
}

/** A copy of an agent. `hasKey`: the original has a key, which the server never sends, so the copy has none. */
export type Copied = { agentId: string; title: string; hasKey: boolean; isConfigured: boolean };

export async function copyAgent(context: EngineContext, agentId: string): Promise<Outcome<Copied>> {
  const { store, backend } = context;
  const { byId, order } = store.state.agents;
  const agent = byId[agentId];
  if (!agent) return failed('agent.notFound', { id: agentId, available: order.length });
  const { name, description, role, specialization, skills, priority, contextAccessLevel, iconType, configuration } = agent;
  const title = copyTitle(
    agent.title,
    Object.values(byId).map((other) => other.title),
  );
  const made = await create(context, {
    name,
    title,
    description,
    role,
    specialization,
    skills,
    priority,
    contextAccessLevel,
    iconType,
    configuration,
  });
  if (!made.ok) return refusal(made.fault);
  const settings = settingsOf(agent.apiConfiguration);
  const configured: Answer<Agent> = isSame(settings, settingsOf(made.value.apiConfiguration))
    ? made
    : await backend.configureAgent(made.value, settings);
  showAgent(store, configured.ok ? configured.value : made.value);
  return { ok: true, value: { agentId: made.value.id, title, hasKey: agent.apiConfiguration.hasKey, isConfigured: configured.ok } };
}

function create(context: EngineContext, agent: NewAgent): Promise<Answer<Agent>> {
  const key = { idempotencyKey: context.environment.newId() };
  return retryLostCall(context, () => context.backend.createAgent(agent, key));
}

function settingsOf({ hasKey: _hasKey, keyLast4: _keyLast4, willSimulate: _willSimulate, ended: _ended, ...settings }: ApiConfiguration) {
  return settings satisfies AgentConfigurationChange;
}

function isSame(one: ReturnType<typeof settingsOf>, other: ReturnType<typeof settingsOf>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function showAgent(store: Store, agent: Agent): Outcome<CommandResult> {
  store.update(({ agents }) => {
    // The first agent of the account replaces the fallback agents.
    for (const id of agents.order.filter(isFallback)) delete agents.byId[id];
    agents.order = agents.order.filter((id) => !isFallback(id));
    if (!agents.order.includes(agent.id)) agents.order.push(agent.id);
    agents.byId[agent.id] = agent;
  });
  return { ok: true, value: { agentId: agent.id } };
}

/** Returns the title of a copy: the same words with the next free number, starting with 2. */
export function copyTitle(title: string, taken: Iterable<string>): string {
  const titles = new Set(taken);
  const words = title.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) {
    const copy = `${words.slice(0, maxTitleLength - String(number).length - 1)} ${number}`;
    if (!titles.has(copy)) return copy;
  }
}
