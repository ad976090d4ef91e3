import {
  type Agent,
  type AgentsMade,
  type ApiConfiguration,
  contextAccessLevels,
  maxAgentsAtOnce,
  modelDefaults,
  type NewAgents,
  withoutServer,
} from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nameOf } from '../../../../rules/card.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { WantedAgent } from '../../../model/document/place-item.ts';
import type { Problem } from '../../../model/problem.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Store } from '../store/store.ts';
import { loadAgents } from './agent-list.ts';
import { FreeTitles, maxTitleLength } from './free-titles.ts';

/** The role for a card without one. */
const anyRole = 'Assistant';

/** An agent that was made, and what for. */
export type Made = { agent: Agent; wanted: WantedAgent };

/**
 * Makes agents, 1,000 with each call, and shows them in the list. A call whose answer was lost makes no second ones. Ends at the first call that is refused:
 * `problem` says why. `fits`: where the account has no room for all of a call, it makes those that fit. R37
 */
export async function makeAgents(
  context: EngineContext,
  wanted: readonly WantedAgent[],
  { goesOn = () => true, fits = false }: { goesOn?: () => boolean; fits?: boolean } = {},
): Promise<{ made: Made[]; problem: Problem | null }> {
  const { store } = context;
  const titles = new FreeTitles(Object.values(store.state.agents.byId).map(({ title }) => title));
  const made: Made[] = [];
  const create = (agents: NewAgents) => callOnce(context, 'agent.createMany', { body: { agents } });
  const sent = wanted.map((one) => newAgent(one, store, titles));
  let problem: Problem | null = null;
  for (let from = 0; from < sent.length && !problem && goesOn(); ) {
    const agents = sent.slice(from, from + lengthOfCall(sent, from));
    const whole = await create(agents);
    const room = whole.ok ? 0 : roomIn(whole.fault.problem);
    const answer = fits && room > 0 ? await create(agents.slice(0, room)) : whole;
    problem = whole.ok ? null : whole.fault.problem;
    if (!answer.ok) break;
    const shown = answer.value.map((one, at) => agentAsMade(one, agents[at] as NewAgents[number], store));
    showAgents(store, shown);
    for (const [at, agent] of shown.entries()) made.push({ agent, wanted: wanted[from + at] as WantedAgent });
    from += agents.length;
  }
  // What an agent without a key of its own answers with is known to the server.
  const isOpen = ({ agent, wanted: { copyOf = '' } }: Made) =>
    agent.apiConfiguration === unknownSettings || store.state.agents.byId[copyOf]?.apiConfiguration.hasKey;
  if (made.some(isOpen)) await loadAgents(context, { quietly: true });
  return { made, problem };
}

/** The bytes of one call: below what the server takes. */
const maxBytes = 3_000_000;

/** How many of the agents from a place on are sent with one call. */
function lengthOfCall(agents: NewAgents, from: number): number {
  let bytes = 0;
  let length = 0;
  for (const agent of agents.slice(from, from + maxAgentsAtOnce)) {
    bytes += new TextEncoder().encode(JSON.stringify(agent)).length;
    if (length > 0 && bytes > maxBytes) break;
    length += 1;
  }
  return length;
}

/** Shown until the server's are read. */
const unknownSettings: ApiConfiguration = { ...modelDefaults, ...withoutServer };

/** An agent as the server has made it: a copy has everything of its original but the key. */
function agentAsMade({ id, title, createdAt }: AgentsMade[number], sent: NewAgents[number], { state }: Store): Agent {
  const about = { id, title, createdAt, updatedAt: createdAt, status: agentStatuses.active };
  if ('copyOf' in sent) {
    const original = state.agents.byId[sent.copyOf] as Agent;
    return { ...original, ...about, apiConfiguration: { ...original.apiConfiguration, hasKey: false, keyLast4: null } };
  }
  return {
    ...{ specialization: '', skills: [], priority: 5, iconType: '', contextAccessLevel: contextAccessLevels.everything },
    ...{ userId: state.project?.userId ?? '', name: sent.name, role: sent.role, description: sent.description ?? '' },
    configuration: { systemPrompt: '', plan: '' },
    apiConfiguration: unknownSettings,
    ...about,
  };
}

/** How many agents of a refused call would fit into what the account may store. */
function roomIn({ code, params }: Problem): number {
  return code === 'quota_reached' ? Number(params?.room ?? 0) : 0;
}

/** Removes those of these agents that are used nowhere, and returns their ids. */
export async function removeUnused(context: EngineContext, ids: readonly string[]): Promise<string[]> {
  const { store } = context;
  const project = store.state.project;
  const gone: string[] = [];
  for (let from = 0; project && from < ids.length; from += maxAgentsAtOnce) {
    const some = ids.slice(from, from + maxAgentsAtOnce);
    const answer = await callOnce(context, 'agent.removeUnused', { body: { projectId: project.id, agentIds: some } });
    if (!answer.ok) break;
    gone.push(...answer.value.removed);
  }
  if (gone.length > 0) {
    const removed = new Set(gone);
    store.update(({ agents }) => {
      for (const id of gone) delete agents.byId[id];
      agents.order = agents.order.filter((id) => !removed.has(id));
    });
  }
  return gone;
}

export function showAgents(store: Store, made: readonly Agent[]): void {
  store.update(({ agents }) => {
    // The first agents of the account replace the fallback agents.
    for (const id of agents.order.filter(isFallback)) delete agents.byId[id];
    const known = new Set(agents.order);
    agents.order = [...agents.order.filter((id) => !isFallback(id)), ...made.flatMap(({ id }) => (known.has(id) ? [] : [id]))];
    for (const agent of made) agents.byId[agent.id] = agent;
  });
}

/** A copy takes the next title of its original. An agent for a card that is there has its title; one for a copied card a title that is free. */
function newAgent({ copyOf, card, of }: WantedAgent, { state }: Store, titles: FreeTitles): NewAgents[number] {
  const original = copyOf === undefined ? undefined : state.agents.byId[copyOf];
  const title = !card ? titles.copy(original?.title ?? anyRole) : of === undefined ? titleOf(card) : titles.own(titleOf(card));
  if (original) return { copyOf: original.id, title };
  return {
    name: (card?.name?.trim() || title).slice(0, 120),
    title,
    role: (card?.role?.trim() || anyRole).slice(0, 100),
    ...(card?.description && { description: card.description.slice(0, 4_000) }),
  };
}

function titleOf(card: CanvasNode): string {
  return nameOf(card).slice(0, maxTitleLength);
}
