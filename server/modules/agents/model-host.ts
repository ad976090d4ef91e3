import type { ApiConfiguration } from '../../../contract/agent.ts';

/** Where a key may be sent: the host and port of the agent's base URL, or the provider's own house. */
export function modelHost({ providerType, baseUrl }: Pick<ApiConfiguration, 'providerType' | 'baseUrl'>): string {
  return baseUrl === null ? `provider:${providerType}` : new URL(baseUrl).origin;
}
