import type { ApiConfiguration } from '../../../contract/agent.ts';
import { providerAddresses } from '../../platform/llm/provider-addresses.ts';

type Settings = Pick<ApiConfiguration, 'providerType' | 'baseUrl' | 'connectionId' | 'hasKey'>;

/**
 * Returns whether the model that is chosen for these settings is the simulated one. `lent`: the providers whose models the operator lends.
 * A unit test compares it with the choice of `createModels`. M3.30
 */
export function willSimulate({ providerType, baseUrl, connectionId, hasKey }: Settings, lent: ReadonlySet<string>): boolean {
  if (connectionId !== null) return false;
  switch (providerType) {
    case 'simulated':
      return true;
    case 'openai':
    case 'anthropic':
      return !hasKey && baseUrl === null && !lent.has(providerType);
    case 'gigachat':
    case 'yandexgpt':
      return !hasKey;
    default:
      return baseUrl === null && (!hasKey || providerAddresses[providerType] === null);
  }
}
