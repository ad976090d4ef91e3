import type { z } from 'zod';
import type { agentCopy, agentCreation, agentUpdate, apiConfigurationUpdate } from '../../../contract/agent.ts';
import { providerModels } from '../../../contract/agent.ts';
import type { agentEdit } from '../../../contract/agent-change.ts';
import type { AgentChange, AgentRow } from './repository.ts';

/** The fields of a client, and the default temperature of the role. */
export type AgentCreation = z.output<typeof agentCreation> & { temperature?: number };
export type AgentCopy = z.output<typeof agentCopy>;
type AgentUpdate = z.output<typeof agentUpdate>;
export type AgentEdit = z.output<typeof agentEdit>;
export type ApiConfigurationUpdate = z.output<typeof apiConfigurationUpdate>;

/** Settings of a server of the agent's own take the place of its connection, unless the same change names one. */
export function namesOwnServer({ providerType, baseUrl, folderId, apiKey }: ApiConfigurationUpdate): boolean {
  return providerType !== undefined || [baseUrl, folderId, apiKey].some((value) => typeof value === 'string');
}

/** A change of provider without a model selects the default model of the new provider. */
export function defaultModel(current: AgentRow, { providerType }: ApiConfigurationUpdate): AgentChange {
  if (providerType === undefined || providerType === current.providerType) return {};
  const foreign = providerModels[current.providerType].some(({ name }) => name === current.model);
  return foreign ? { model: providerModels[providerType][0].name } : {};
}

/** A model that refuses a temperature gets none, whatever the role would like. */
export function withoutTemperature({ temperature: _, ...creation }: AgentCreation): AgentCreation {
  return creation;
}

export function changeOf(given: AgentUpdate & { temperature?: number }): AgentChange {
  const { configuration, ...fields } = given;
  return withoutAbsent({ ...fields, systemPrompt: configuration?.systemPrompt, plan: configuration?.plan });
}

export function withoutAbsent<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
