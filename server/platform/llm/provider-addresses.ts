import type { ProviderType } from '../../../contract/agent.ts';

/** The default address of each provider; null for those whose address each account or server has of its own. */
export const providerAddresses: Record<Exclude<ProviderType, 'simulated' | OwnAddress>, string> & Record<OwnAddress, null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gigachat: 'https://gigachat.devices.sberbank.ru/api/v1',
  yandexgpt: 'https://llm.api.cloud.yandex.net/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  azure: null,
  openrouter: 'https://openrouter.ai/api/v1',
  deepseek: 'https://api.deepseek.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  xai: 'https://api.x.ai/v1',
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  compatible: null,
};
type OwnAddress = 'azure' | 'compatible';

/** Whether an address leads to the provider's own server. */
export function isHome(provider: keyof typeof providerAddresses, address: string): boolean {
  const home = providerAddresses[provider];
  return home !== null && new URL(address).host === new URL(home).host;
}
