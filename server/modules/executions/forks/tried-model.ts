import type { TriedModel } from '../../../../contract/executions/fork.ts';
import type { AgentModelConfig } from '../../agents/index.ts';

/**
 * Returns an agent's settings with the model that a step is tried with. The agent's key and address go with its own provider only: another
 * provider is called with the operator's account, or simulated.
 */
export function withTriedModel(settings: AgentModelConfig, tried: TriedModel | null): AgentModelConfig {
  if (!tried) return settings;
  const { providerType, model } = tried;
  // What another model answers is no result of the tried one.
  if (providerType === settings.providerType) return { ...settings, model, fallback: null };
  const { connection: _, toldPrices: _told, ...own } = settings;
  return { ...own, fallback: null, providerType, model, apiKey: null, keyUndecryptable: false, baseUrl: null, folderId: null };
}
