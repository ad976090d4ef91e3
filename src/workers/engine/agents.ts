import { isFallback } from '../../model/agents/fallback-agent.ts';
import type { AgentConfigurationChange } from '../../model/commands.ts';
import { failed, type Outcome, type Problem } from '../../model/problem.ts';
import type { Backend } from './backends/port.ts';
import type { Store } from './store/store.ts';

/**
 * Reads the user's agents; a list that was read before stays when the server does not answer. Done `quietly` it shows neither that it
 * is at it nor that it failed.
 */
export async function loadAgents(store: Store, backend: Backend, quietly = false): Promise<Problem | null> {
  if (!quietly) {
    store.update(({ agents }) => {
      agents.status = 'loading';
      agents.error = null;
    });
  }
  const listed = await listAgents(store, backend);
  store.update(({ agents }) => {
    if (listed.ok) {
      // Those that stand in go when the list arrives; an empty one has nobody to take their places.
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

/** Readings of a list that changes under each of them. */
const mostReadings = 3;

/**
 * The list as it is now: where agents were made or changed while it was being read, it may not know of that and is read once more.
 * The last reading leaves what changed under it as it is.
 */
async function listAgents(store: Store, backend: Backend): ReturnType<Backend['listAgents']> {
  for (let reading = 1; ; reading += 1) {
    const before = store.state.agents.byId;
    const listed = await backend.listAgents();
    const now = store.state.agents.byId;
    if (!listed.ok || now === before) return listed;
    if (reading < mostReadings) continue;
    const changed = Object.values(now).filter((agent) => agent !== before[agent.id] && !isFallback(agent.id));
    const agents = new Map([...listed.value, ...changed].map((agent) => [agent.id, agent]));
    return { ok: true, value: [...agents.values()] };
  }
}

/** Changes an agent's prompt or model settings. */
export async function configureAgent(
  store: Store,
  backend: Backend,
  agentId: string,
  configuration: AgentConfigurationChange,
): Promise<Outcome> {
  const agent = store.state.agents.byId[agentId];
  if (isFallback(agentId)) return failed('agent.standsIn', { title: agent?.title ?? agentId });
  if (!agent) return failed('agent.notFound', { id: agentId, available: store.state.agents.order.length });
  const configured = await backend.configureAgent(agent, configuration);
  if (!configured.ok) {
    const { code, params } = configured.fault.problem;
    return failed('agent.notSaved', { ...params, cause: code });
  }
  store.update(({ agents }) => {
    agents.byId[agentId] = configured.value;
  });
  return { ok: true, value: undefined };
}

/** Asks how an agent's work goes, whether it is free and how much it has to do. What was known stays when one of them is not told. */
export async function countAgent(store: Store, backend: Backend, agentId: string): Promise<Outcome> {
  // Nobody has counted anything of an agent that the server does not know.
  if (isFallback(agentId)) return { ok: true, value: undefined };
  const [statistics, availability, load] = await Promise.all([
    backend.agentStatistics(agentId),
    backend.agentAvailability(agentId),
    backend.agentLoad(agentId),
  ]);
  if (!statistics.ok) return { ok: false, error: statistics.fault.problem };
  if (!availability.ok) return { ok: false, error: availability.fault.problem };
  if (!load.ok) return { ok: false, error: load.fault.problem };
  const figures = { statistics: statistics.value, availability: availability.value, load: load.value };
  store.update(({ agentFigures }) => {
    agentFigures[agentId] = figures;
  });
  return { ok: true, value: undefined };
}
