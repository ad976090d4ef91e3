import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { everyPage } from '../../../model/every-page.ts';
import { done, failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { type Answer, type Backend, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';

/**
 * Reads the user's agents. Without an answer of the server, the previous list stays. With `quietly` the state shows neither
 * the loading nor a failure.
 */
export async function loadAgents(context: EngineContext, { quietly = false } = {}): Promise<Problem | null> {
  const { store } = context;
  if (!quietly) {
    store.update(({ agents }) => {
      agents.status = 'loading';
      agents.error = null;
    });
  }
  const listed = await listAgents(context);
  store.update(({ agents }) => {
    if (listed.ok) {
      // The fallback agents go when the list arrives; an empty list leaves them.
      if (listed.value.length > 0 || !agents.order.every(isFallback)) {
        agents.byId = Object.fromEntries(listed.value.map((agent) => [agent.id, agent]));
        agents.order = listed.value.map((agent) => agent.id);
      }
      agents.status = 'ready';
      agents.error = null;
    } else if (!quietly) {
      agents.status = 'failed';
      agents.error = listed.fault.problem;
    }
  });
  return listed.ok ? null : listed.fault.problem;
}

/**
 * Reads the agents again where cards of another tab or device have agents that this one does not know. `asked`: those that were looked for already, since
 * an agent may be gone for good.
 */
export async function learnAgents(context: EngineContext, { patches }: DocumentChange, asked: Set<string>): Promise<void> {
  const { byId, status } = context.store.state.agents;
  if (status !== 'ready') return;
  const unknown = patches.flatMap(({ op, path, value }) => {
    if (op === 'remove' || path[0] !== 'nodes') return [];
    const { id, isUser, serverAgentId } = value as CanvasNode;
    const isUnknown = !isUser && serverAgentId !== undefined && serverAgentId !== id && byId[serverAgentId] === undefined;
    return isUnknown && !asked.has(serverAgentId) ? [serverAgentId] : [];
  });
  if (unknown.length > 0 && !(await loadAgents(context, { quietly: true }))) for (const id of unknown) asked.add(id);
}

/** The maximum of attempts to read a list that changes during each of them. */
const maxReadings = 3;

/**
 * Reads the current list. If agents were created or changed during the read, the answer may be outdated and the list is read
 * again. After the last attempt the changes of this tab take precedence over the answer.
 */
async function listAgents({ store, backend }: EngineContext): Promise<Answer<Agent[]>> {
  for (let reading = 1; ; reading += 1) {
    const before = store.state.agents.byId;
    const listed = await everyPage((query) => backend.call('agent.list', { query }));
    const now = store.state.agents.byId;
    if (!listed.ok || now === before) return listed;
    if (reading < maxReadings) continue;
    const changed = Object.values(now).filter((agent) => agent !== before[agent.id] && !isFallback(agent.id));
    const agents = new Map([...listed.value, ...changed].map((agent) => [agent.id, agent]));
    return { ok: true, value: [...agents.values()] };
  }
}

/** Changes an agent's prompt or model settings. */
export async function configureAgent(
  { store, backend }: EngineContext,
  agentId: string,
  configuration: AgentConfigurationChange,
): Promise<Outcome> {
  const agent = store.state.agents.byId[agentId];
  if (isFallback(agentId)) return failed('agent.standsIn', { title: agent?.title ?? agentId });
  if (!agent) return failed('agent.notFound', { id: agentId, available: store.state.agents.order.length });
  const configured = await storeConfiguration(backend, agent, configuration);
  if (!configured.ok) {
    const { code, params } = configured.fault.problem;
    return failed('agent.notSaved', { ...params, cause: code });
  }
  store.update(({ agents }) => {
    agents.byId[agentId] = configured.value;
  });
  return done;
}

/** The prompt and the settings of a model are stored apart. */
async function storeConfiguration(
  backend: Backend,
  agent: Agent,
  { systemPrompt, ...settings }: AgentConfigurationChange,
): Promise<Answer<Agent>> {
  const params = { id: agent.id };
  const updated: Answer<Agent> =
    systemPrompt === undefined
      ? { ok: true, value: agent }
      : await backend.call('agent.update', { params, body: { configuration: { systemPrompt } } });
  if (!updated.ok || Object.keys(settings).length === 0) return updated;
  const stored = await backend.call('agent.putApiConfiguration', { params, body: settings });
  return stored.ok ? { ok: true, value: { ...updated.value, apiConfiguration: stored.value } } : stored;
}

/** Reads an agent's statistics, availability and load. Values that cannot be read stay as they were. */
export async function loadAgentFigures({ store, backend }: EngineContext, agentId: string): Promise<Outcome> {
  // The server does not know a fallback agent.
  if (isFallback(agentId)) return done;
  const [statistics, availability, load] = await Promise.all([
    backend.call('agent.statistics', { params: { id: agentId } }),
    backend.call('command.availability', { params: { agentId } }),
    backend.call('command.load', { params: { agentId } }),
  ]);
  if (!statistics.ok) return refusal(statistics.fault);
  if (!availability.ok) return refusal(availability.fault);
  if (!load.ok) return refusal(load.fault);
  const figures = { statistics: statistics.value, availability: availability.value, load: load.value };
  store.update(({ agentFigures }) => {
    agentFigures[agentId] = figures;
  });
  return done;
}
