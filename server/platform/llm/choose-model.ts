import { performance } from 'node:perf_hooks';
import { v4 } from 'uuid';
import { type ApiConfiguration, providerModels } from '../../../contract/agent.ts';
import type { Price } from '../../../rules/cost/cost-of.ts';
import { createEgress } from '../egress/egress.ts';
import type { PrivateHosts } from '../egress/private-hosts.ts';
import type { Proxies } from '../egress/proxies.ts';
import { knownModel } from '../model-lists/known-models.ts';
import { type ListedModel, toldPriceOf } from '../model-lists/listed-model.ts';
import type { OwnerId } from '../owner-id.ts';
import { createCallLimits } from './call-limits.ts';
import { createAccessTokens } from './gigachat/access-tokens.ts';
import { exchangeKey } from './gigachat/exchange-key.ts';
import { gigaChatModel } from './gigachat/gigachat-model.ts';
import type { LanguageModel, ModelAdapter, ModelFailure } from './language-model.ts';
import { createModelTraits, type TraitsOfAccounts } from './model-traits.ts';
import { isHome, providerAddresses } from './provider-addresses.ts';
import { type SdkModelOptions, sdkModel } from './sdk/sdk-model.ts';
import { toLanguageModel } from './to-language-model.ts';

/** An agent's own model settings with its decrypted key, which is used for the call only. */
export type AgentModelSettings = Pick<ApiConfiguration, 'providerType' | 'model' | 'temperature' | 'maxTokens' | 'baseUrl' | 'folderId'> & {
  apiKey: string | null;
  /** True when the agent's own key is stored and cannot be decrypted: no other key may replace it. */
  keyUndecryptable?: boolean;
  /** Whether the owner of the agent has confirmed the account's email address. */
  isOwnerVerified: boolean;
  /** Further headers and fields of the body, of the agent's connection. */
  connection?: NonNullable<SdkModelOptions['connection']>;
  /** What the list of the agent's connection tells of prices, by the models' names. */
  toldPrices?: ToldPrices;
};

/** Prices that the list of a server tells, by the models' names. */
export type ToldPrices = Readonly<Record<string, NonNullable<ListedModel['price']>>>;

/** The operator's models for agents without key and address. The key is sent to this address only. */
export type OperatorAccount = { apiKey: string | null; baseUrl: string };

export type ModelsOptions = {
  serverWide: { openai: OperatorAccount; anthropic: OperatorAccount };
  /** Whether accounts whose email address is not confirmed may use the keys of `serverWide`. */
  lendsToUnverified: boolean;
  /** Calls with one key that one user has under way at the same time, on this node. */
  callsPerKey: number;
  gigaChat: { authUrl: string; scope: string };
  allowPrivateHosts: PrivateHosts;
  proxies: Proxies | null;
  /** Origins on this machine that users may call without that. */
  openOrigins?: readonly string[];
  /** The longest silence of a model server (ms); Node's default unless set. */
  idleTimeoutMs?: number;
  /** What calls have shown of models; in memory only unless set. */
  traits?: TraitsOfAccounts;
  simulated: ModelAdapter;
};

/** Chooses the model for an agent of this user. */
export type Models = { choose: (settings: AgentModelSettings, userId: OwnerId) => ModelChoice };

export type ModelChoice = { ok: true; value: LanguageModel } | { ok: false; error: ModelFailure };

/** The time limit for an exchange of a key for a token (ms). */
const exchangeTimeoutMs = 30_000;

/**
 * Uses the agent's own key or address first, then a server-wide key, which is sent to the operator's address only, and without
 * both the simulated model. An account that has not confirmed its email address gets a failure instead of a server-wide key.
 */
export function createModels(options: ModelsOptions): Models {
  const { serverWide, gigaChat, simulated, idleTimeoutMs, proxies } = options;
  const traits = options.traits ?? createModelTraits(null);
  const limited = createCallLimits(options.callsPerKey);
  const idle = idleTimeoutMs === undefined ? {} : { idleTimeoutMs };
  const usersAddress = createEgress({ allowPrivate: options.allowPrivateHosts, openOrigins: options.openOrigins ?? [], proxies, ...idle });
  const operatorsAddress = createEgress({ allowPrivate: true, proxies, ...idle });
  const exchangeMs = Math.min(exchangeTimeoutMs, idleTimeoutMs ?? exchangeTimeoutMs);
  const tokenServer = createEgress({ allowPrivate: true, proxies, idleTimeoutMs: exchangeMs, totalTimeoutMs: exchangeTimeoutMs });
  const tokens = createAccessTokens(
    (key) => exchangeKey({ ...gigaChat, call: tokenServer, newId: v4 }, key),
    () => performance.now(),
  );

  const adapterFor = (settings: AgentModelSettings, userId: OwnerId): ModelAdapter | ModelFailure => {
    const { providerType, baseUrl, apiKey } = settings;
    const model = modelId(settings);
    const { connection } = settings;
    const common = { apiKey, model, call: usersAddress, traits: traits.of(userId), ...(connection && { connection }) };
    if (settings.keyUndecryptable) return { code: 'model_key_unreadable', transient: false };
    switch (providerType) {
      case 'simulated':
        return simulated;
      case 'openai':
      case 'anthropic': {
        const home = providerAddresses[providerType];
        if (apiKey !== null || baseUrl !== null) return sdkModel({ ...common, provider: providerType, baseUrl: baseUrl ?? home });
        const lent = serverWide[providerType];
        // A server at a custom address may need no key; the provider's own server does.
        if (lent.apiKey === null && isHome(providerType, lent.baseUrl)) return simulated;
        const adapter = sdkModel({ ...common, ...lent, provider: providerType, call: operatorsAddress });
        if (lent.apiKey === null) return adapter;
        if (!settings.isOwnerVerified && !options.lendsToUnverified) return { code: 'model_owner_unverified', transient: false };
        return { ...adapter, usesOperatorKey: true };
      }
      case 'gigachat':
        if (apiKey === null) return simulated;
        return gigaChatModel({ ...common, baseUrl: baseUrl ?? providerAddresses.gigachat, key: apiKey, tokens });
      case 'yandexgpt': {
        if (apiKey === null) return simulated;
        const modelUri = yandexModelUri(model, settings.folderId);
        if (modelUri === null) return { code: 'model_folder_missing', transient: false };
        return sdkModel({ ...common, provider: providerType, baseUrl: baseUrl ?? providerAddresses.yandexgpt, model: modelUri });
      }
      default: {
        const address = baseUrl ?? providerAddresses[providerType];
        if (address === null || (apiKey === null && baseUrl === null)) return simulated;
        return sdkModel({ ...common, provider: providerType, baseUrl: address });
      }
    }
  };

  return {
    choose(settings, userId) {
      const found = adapterFor(settings, userId);
      if ('code' in found) return { ok: false, error: found };
      const { providerType, baseUrl, apiKey } = settings;
      const key = JSON.stringify([userId, providerType, baseUrl, apiKey]);
      const contextWindow = found.contextWindow ?? knownWindow(settings, found);
      const toldPrice = toldPriceFor(settings);
      return {
        ok: true,
        value: limited(toLanguageModel({ ...found, contextWindow, ...(toldPrice && { toldPrice }) }), {
          userId,
          key: found.simulated ? null : key,
        }),
      };
    },
  };
}

/** The provider's id of a model. Users choose it by a name that may differ. W9.04 */
function modelId({ providerType, model }: Pick<AgentModelSettings, 'providerType' | 'model'>): string {
  return providerModels[providerType].find(({ name }) => name === model)?.id ?? model;
}

function toldPriceFor({ toldPrices, model }: AgentModelSettings): Price | null {
  const told = toldPrices && Object.hasOwn(toldPrices, model) ? toldPrices[model] : undefined;
  return told ? toldPriceOf(told) : null;
}

/** The window of a provider's own model by the table of the repository; null where another server may offer another model under its name. */
function knownWindow({ providerType, model }: AgentModelSettings, { host }: ModelAdapter): number | null {
  const home = providerType === 'simulated' ? null : providerAddresses[providerType];
  return home !== null && host === new URL(home).host ? (knownModel(providerType, model)?.context ?? null) : null;
}

/**
 * Returns the URI of a model in a Yandex Cloud folder: the latest version of a name, or another branch of it (`yandexgpt/rc`). A complete URI
 * (`gpt://…`, `ds://…`) is returned unchanged. Null when the folder is needed and missing.
 */
function yandexModelUri(model: string, folderId: string | null): string | null {
  if (/^\w+:\/\//.test(model)) return model;
  if (folderId === null) return null;
  return `gpt://${folderId}/${model.includes('/') ? model : `${model}/latest`}`;
}
