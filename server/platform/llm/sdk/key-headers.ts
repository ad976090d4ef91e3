import type { ProviderType } from '../../../../contract/agent.ts';

const ways: Partial<Record<ProviderType, (key: string) => Record<string, string>>> = {
  anthropic: (key) => ({ 'x-api-key': key }),
  google: (key) => ({ 'x-goog-api-key': key }),
  azure: (key) => ({ 'api-key': key }),
  yandexgpt: (key) => ({ authorization: `Api-Key ${key}` }),
};

/** Returns the headers with which a provider takes its key: a bearer, unless it has a way of its own. None without a key. */
export function keyHeaders(provider: ProviderType, key: string | null): Record<string, string> {
  if (key === null) return {};
  return ways[provider]?.(key) ?? { authorization: `Bearer ${key}` };
}
