import { type Agent, type ApiConfiguration, providerModels } from '../../../../contract/agent.ts';
import type { ConnectionModel, ModelConnection } from '../../../../contract/model-connection.ts';

type WithModel = { apiConfiguration: Pick<Agent['apiConfiguration'], 'providerType' | 'model' | 'connectionId'> };

/** Where the models come from with which a step can be tried. */
type ModelSource =
  | { kind: 'own'; provider: ApiConfiguration['providerType'] }
  | { kind: 'connection'; id: string; models: readonly ConnectionModel[] };

/** What a step is tried at. A trial at another provider would leave the agent's connection. */
export type Tried = { provider: ApiConfiguration['providerType']; source: ModelSource };

/** Returns where an agent's models come from: its connection, or its own provider. Null until its connection is known. G5.07 */
export function triedSource(
  agent: Pick<ApiConfiguration, 'providerType' | 'connectionId'>,
  connections: readonly Pick<ModelConnection, 'id' | 'provider'>[] | null,
  models: readonly ConnectionModel[],
): Tried | null {
  const { providerType, connectionId } = agent;
  if (connectionId === null) return { provider: providerType, source: { kind: 'own', provider: providerType } };
  const connection = connections?.find(({ id }) => id === connectionId);
  return connection ? { provider: connection.provider, source: { kind: 'connection', id: connection.id, models } } : null;
}

/** A longer list of a connection is searched, not shown as a whole. */
const maxListed = 8;

/** Returns the models with which a step can be tried: known or listed ones, those of the other agents, and those that were typed. */
export function offeredModels(source: ModelSource, agents: readonly WithModel[], typed: readonly string[]): string[] {
  const ofAgents = agents.flatMap(({ apiConfiguration }) => (isOf(source, apiConfiguration) ? apiConfiguration.model : []));
  return [...new Set([...knownOf(source), ...ofAgents.toSorted(), ...typed])];
}

function isOf(source: ModelSource, { providerType, connectionId }: WithModel['apiConfiguration']): boolean {
  return source.kind === 'own' ? connectionId === null && providerType === source.provider : connectionId === source.id;
}

function knownOf(source: ModelSource): string[] {
  if (source.kind === 'own') return providerModels[source.provider].map(({ name }) => name);
  const served = source.models.filter(({ ended }) => !ended);
  return served.length > maxListed ? [] : served.map(({ id }) => id);
}
