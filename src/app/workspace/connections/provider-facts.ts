import type { ModelConnection } from '../../../../contract/model-connection.ts';

export type ConnectedProvider = ModelConnection['provider'];

type ProviderFacts = {
  /** How its keys begin; null where they have no mark of their own. */
  key: RegExp | null;
  /** What a key looks like, shown in its field. */
  keyExample: string;
  /** Where a key is made. Null: the server has none, or its operator gives it. */
  keyPage: string | null;
  needsKey: boolean;
  /** `must`: there is no address of its own. `may`: it has one, and a server of this kind often stands elsewhere. */
  address: 'must' | 'may' | 'rarely';
  addressExample: string;
  hasFolder?: true;
};

/** What a person has to know of a provider to connect it, in the order of the choice. */
export const providerFacts: Record<ConnectedProvider, ProviderFacts> = {
  openai: {
    key: /^sk-(?!ant-|or-)/,
    keyExample: 'sk-proj-…',
    keyPage: 'https://platform.openai.com/api-keys',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://api.openai.com/v1',
  },
  anthropic: {
    key: /^sk-ant-/,
    keyExample: 'sk-ant-…',
    keyPage: 'https://console.anthropic.com/settings/keys',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://api.anthropic.com',
  },
  google: {
    key: /^AIza/,
    keyExample: 'AIza…',
    keyPage: 'https://aistudio.google.com/apikey',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://generativelanguage.googleapis.com',
  },
  openrouter: {
    key: /^sk-or-/,
    keyExample: 'sk-or-v1-…',
    keyPage: 'https://openrouter.ai/keys',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://openrouter.ai/api/v1',
  },
  deepseek: {
    key: null,
    keyExample: 'sk-…',
    keyPage: 'https://platform.deepseek.com/api_keys',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://api.deepseek.com',
  },
  mistral: {
    key: null,
    keyExample: '32 × A-Z a-z 0-9',
    keyPage: 'https://console.mistral.ai/api-keys',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://api.mistral.ai/v1',
  },
  xai: {
    key: /^xai-/,
    keyExample: 'xai-…',
    keyPage: 'https://console.x.ai',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://api.x.ai/v1',
  },
  azure: {
    key: null,
    keyExample: '84 × A-Z a-z 0-9',
    keyPage: 'https://portal.azure.com',
    needsKey: true,
    address: 'must',
    addressExample: 'https://NAME.openai.azure.com',
  },
  gigachat: {
    key: null,
    keyExample: 'MDE5…==',
    keyPage: 'https://developers.sber.ru/studio',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://gigachat.devices.sberbank.ru/api/v1',
  },
  yandexgpt: {
    key: /^AQVN/,
    keyExample: 'AQVN…',
    keyPage: 'https://console.yandex.cloud',
    needsKey: true,
    address: 'rarely',
    addressExample: 'https://llm.api.cloud.yandex.net',
    hasFolder: true,
  },
  ollama: {
    key: null,
    keyExample: '',
    keyPage: null,
    needsKey: false,
    address: 'may',
    addressExample: 'http://127.0.0.1:11434',
  },
  lmstudio: {
    key: null,
    keyExample: '',
    keyPage: null,
    needsKey: false,
    address: 'may',
    addressExample: 'http://127.0.0.1:1234',
  },
  compatible: {
    key: null,
    keyExample: 'sk-…',
    keyPage: null,
    needsKey: false,
    address: 'must',
    addressExample: 'https://models.example.com/v1',
  },
};

export const connectedProviders = Object.keys(providerFacts) as ConnectedProvider[];

/** Returns the provider whose keys begin like this one; null where that is not certain. M3.23 */
export function providerOfKey(key: string): ConnectedProvider | null {
  const text = key.trim();
  return connectedProviders.find((provider) => providerFacts[provider].key?.test(text)) ?? null;
}

/** Whether a key looks like one of another provider, and of which. A key of OpenAI's form is used by many. */
export function foreignKey(provider: ConnectedProvider, key: string): ConnectedProvider | null {
  const likely = providerOfKey(key);
  if (likely === null || likely === provider || likely === 'openai') return null;
  // Gateways take keys of any form.
  return provider === 'compatible' || provider === 'azure' ? null : likely;
}

/** Returns a name for a new connection that no other has. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`;
}
