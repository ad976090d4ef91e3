import type { ApiConfiguration } from '../../../contract/agent.ts';

/**
 * Returns the host and port that a key may be sent to: those of the agent's base URL, or the provider's own. GigaChat's key is sent to
 * Sber's token server for every base URL, so that a key saved for another host is never sent there.
 */
export function modelHost({ providerType, baseUrl }: Pick<ApiConfiguration, 'providerType' | 'baseUrl'>): string {
  const origin = baseUrl === null ? null : new URL(baseUrl).origin;
  if (providerType === 'gigachat' && origin !== null) return `provider:gigachat ${origin}`;
  return origin ?? `provider:${providerType}`;
}
