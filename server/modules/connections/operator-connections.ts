import { v5 } from 'uuid';
import type { OperatorAccount } from '../../platform/llm/choose-model.ts';
import { isHome } from '../../platform/llm/provider-addresses.ts';

/** Makes the same id for a provider on each node and after each start. */
const operatorNamespace = '2f0d2c4e-52a7-4a0a-9c3f-6a9d1f0b7c55';

/**
 * The operator's providers, the first one for new agents before the others, each with a model that it serves today. At an address of the operator's
 * own only a setting can tell the model.
 */
const providers = {
  openai: { name: 'OpenAI', model: 'gpt-6.1-terra', of: /^(?:gpt|o\d)/ },
  anthropic: { name: 'Anthropic', model: 'claude-sonnet-5-5', of: /^claude/ },
} as const;
type Provider = keyof typeof providers;

/** The ids of all connections that an operator can have. */
export const operatorIds: readonly string[] = (Object.keys(providers) as Provider[]).map(idOf);

/** A connection of the operator's environment. It has no row, and only the server knows its key and address. */
export type OperatorConnection = {
  id: string;
  provider: Provider;
  name: string;
  /** The model of new agents; null where it is not known. */
  defaultModel: string | null;
  account: OperatorAccount;
};

/** The operator's connections by id. `setting`: the model of new agents, alone or as `provider:model`; its connection comes first. */
export function operatorConnections(
  accounts: Record<Provider, OperatorAccount>,
  setting: string | null,
): ReadonlyMap<string, OperatorConnection> {
  const usable = (Object.keys(providers) as Provider[]).filter((provider) => isUsable(provider, accounts[provider]));
  const chosen = setting === null ? null : splitSetting(setting, usable);
  const ordered = usable.toSorted((one, other) => Number(other === chosen?.provider) - Number(one === chosen?.provider));
  const found = ordered.map((provider): OperatorConnection => {
    const account = accounts[provider];
    const usual = isHome(provider, account.baseUrl) ? providers[provider].model : null;
    const defaultModel = chosen?.provider === provider ? chosen.model : usual;
    return { id: idOf(provider), provider, name: providers[provider].name, defaultModel, account };
  });
  return new Map(found.map((connection) => [connection.id, connection]));
}

function idOf(provider: Provider): string {
  return v5(provider, operatorNamespace);
}

/** A model without a provider is of the one whose names begin so, else of the first one. */
function splitSetting(setting: string, usable: readonly Provider[]): { provider: Provider; model: string } | null {
  const named = usable.find((provider) => setting.startsWith(`${provider}:`));
  if (named) return { provider: named, model: setting.slice(named.length + 1) };
  const provider = usable.find((one) => providers[one].of.test(setting)) ?? usable[0];
  return provider ? { provider, model: setting } : null;
}

/** A server at an address of the operator's own may need no key; the provider's own server does. */
function isUsable(provider: Provider, account: OperatorAccount): boolean {
  return account.apiKey !== null || !isHome(provider, account.baseUrl);
}
