import type { ApiConfiguration } from '../../../contract/agent.ts';

/**
 * Where a key may be sent: the host and port of the agent's base URL, or the provider's own house. GigaChat's key goes to
 * Sber's token server whatever the base URL is, so that a key saved for another provider's host is never taken there.
 */
export function modelHost({ providerType, baseUrl }: Pick<ApiConfiguration, 'providerType' | 'baseUrl'>): string {
  const origin = baseUrl === null ? null : new URL(baseUrl).origin;
  if (providerType === 'gigachat' && origin !== null) return `provider:gigachat ${origin}`;
  return origin ?? `provider:${providerType}`;
}
