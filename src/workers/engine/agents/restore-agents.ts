import type { CanvasNode } from '../../../../contract/canvas.ts';
import { type AgentAssignment, assignAgents } from '../../../model/agents/assign-agents.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import type { Command, CommandResult } from '../../../model/commands.ts';
import type { WantedAgent } from '../../../model/document/place-item.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Store } from '../store/store.ts';
import { loadAgents } from './agent-list.ts';
import { makeAgents } from './many-agents.ts';

type Join = Extract<Command, { type: 'nodes.join' }>['joins'][number];

/** Joins cards to agents, as one edit. */
type JoinCards = (joins: Join[]) => Outcome<CommandResult> | Promise<Outcome<CommandResult>>;

/**
 * Reads the agents again and assigns them to cards, so that menu and canvas agree. An agent of one card
 * is never given to another. Returns the notice about the result. W2.02 R37
 */
export async function syncAgents(context: EngineContext, join: JoinCards): Promise<Outcome<Problem>> {
  const { store } = context;
  const problem = await refresh(context);
  if (problem) return { ok: false, error: problem };
  const { byNode } = assigned(store);
  const joins = Object.values(store.document.nodes).flatMap((card) => {
    const agentId = byNode.get(card.id);
    return agentId !== undefined && agentId !== card.serverAgentId ? [{ id: card.id, agentId }] : [];
  });
  const joined = joins.length > 0 ? await join(joins) : null;
  if (joined?.ok === false) return joined;
  const missing = assigned(store).missing.length;
  if (missing > 0) return { ok: true, value: { code: 'agent.someMissing', params: { count: missing } } };
  return { ok: true, value: joins.length > 0 ? { code: 'agent.synced', params: { count: joins.length } } : { code: 'agent.allJoined' } };
}

/**
 * Creates an agent for each card without one of its own: it was removed, or belongs to another card. Returns the notice about it. W2.02 R37
 */
export async function restoreAgents(context: EngineContext, join: JoinCards): Promise<Outcome<Problem>> {
  const { store } = context;
  const synced = await syncAgents(context, join);
  if (!synced.ok) return synced;
  const cards = assigned(store).missing;
  if (cards.length === 0) return { ok: true, value: { code: 'agent.noneMissing' } };
  const { made, problem: refused } = await makeAgents(
    context,
    cards.map((card) => wantedFor(card, store)),
  );
  const joins = made.map(({ agent }, at): Join => ({ id: (cards[at] as CanvasNode).id, agentId: agent.id }));
  // The agents that were made are joined, also when a later one was refused.
  const joined = joins.length > 0 ? await join(joins) : null;
  const problem = refused ?? (joined?.ok === false ? joined.error : null) ?? (await loadAgents(context));
  return problem ? { ok: false, error: problem } : { ok: true, value: { code: 'agent.restored', params: { count: joins.length } } };
}

async function refresh(context: EngineContext): Promise<Problem | null> {
  if (isLocked(context.store.state.run)) return { code: 'run.locked' };
  return loadAgents(context);
}

function assigned({ document, state }: Store): AgentAssignment {
  return assignAgents(Object.values(document.nodes), serverAgents(state.agents));
}

/** A copy of the agent that the card was copied from, where that is known, with the title of the card. */
function wantedFor(card: CanvasNode, { state }: Store): WantedAgent {
  const agents = serverAgents(state.agents);
  const original = agents.find(({ id }) => id === card.serverAgentId) ?? agents.find((agent) => agent.title === card.title);
  return { card, ...(original && { copyOf: original.id }) };
}
