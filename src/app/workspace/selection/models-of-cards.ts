import type { Agent, AgentModelsSet, ProviderType } from '../../../../contract/agent.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentCard } from '../../../../rules/card.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';

export type ModelsOfCards = {
  agents: Agent[];
  /** Cards that call no model, or whose agent is missing. */
  others: number;
  /** The connection of all agents; null for their own servers, undefined where they differ. */
  connectionId: string | null | undefined;
  /** The provider of all agents without a connection; null where they differ. */
  ownProvider: ProviderType | null;
  /** The model of all agents; null where they differ. */
  model: string | null;
};

/** Returns what the agents of many cards have in common. */
export function modelsOfCards(cards: readonly CanvasNode[], byId: Readonly<Record<string, Agent>>): ModelsOfCards {
  const found = cards.flatMap((card) => (isAgentCard(card) ? (byId[card.serverAgentId ?? ''] ?? []) : []));
  const agents = [...new Set(found.filter(({ id }) => !isFallback(id)))];
  const configurations = agents.map(({ apiConfiguration }) => apiConfiguration);
  return {
    agents,
    others: cards.length - found.filter(({ id }) => !isFallback(id)).length,
    connectionId: onlyOne(configurations.map(({ connectionId }) => connectionId)),
    ownProvider: onlyOne(configurations.map(({ providerType }) => providerType)) ?? null,
    model: onlyOne(configurations.map(({ model }) => model)) ?? null,
  };
}

/** Returns the agents that a model and its connection would change. */
export function changedAgents(agents: readonly Agent[], { connectionId, model }: { connectionId: string | null; model: string }): Agent[] {
  return agents.filter(({ apiConfiguration: had }) => had.connectionId !== connectionId || had.model !== model);
}

/** Groups agents by what they had before, so that one call takes each group back. */
export function takenBack(before: AgentModelsSet['agents']): { agentIds: string[]; connectionId: string | null; model: string }[] {
  const groups = Map.groupBy(before, ({ connectionId, model }) => JSON.stringify([connectionId, model]));
  return [...groups.values()].map((agents) => ({
    agentIds: agents.map(({ agentId }) => agentId),
    connectionId: agents[0]?.connectionId ?? null,
    model: agents[0]?.model ?? '',
  }));
}

function onlyOne<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
