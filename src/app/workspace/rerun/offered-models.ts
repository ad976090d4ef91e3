import { type Agent, type ApiConfiguration, providerModels } from '../../../../contract/agent.ts';

type WithModel = { apiConfiguration: Pick<Agent['apiConfiguration'], 'providerType' | 'model'> };

/** Returns the models of a provider with which a step can be tried: known ones, those of the other agents, and those that were typed. */
export function offeredModels(
  provider: ApiConfiguration['providerType'],
  agents: readonly WithModel[],
  typed: readonly string[],
): string[] {
  const ofAgents = agents.flatMap(({ apiConfiguration: { providerType, model } }) => (providerType === provider ? model : []));
  return [...new Set([...providerModels[provider].map(({ name }) => name), ...ofAgents.toSorted(), ...typed])];
}
