import type { providerTypes } from '../../../contract/agent.ts';
import { createEgress } from '../egress/egress.ts';
import type { LanguageModel, ModelAdapter, ModelFailure } from './language-model.ts';
import { openAiCompatibleModel } from './openai-compatible-model.ts';
import { withTurns } from './with-turns.ts';

/** An agent's own model settings, its key in clear text: they go from the vault to the call and nowhere else. */
export type AgentModelSettings = {
  providerType: (typeof providerTypes)[number];
  model: string;
  temperature: number;
  maxTokens: number;
  baseUrl: string | null;
  apiKey: string | null;
};

export type ModelsOptions = {
  /** The operator's own, used for agents that bring neither key nor address. */
  serverWide: { openAiApiKey: string | null; openAiBaseUrl: string; anthropicApiKey: string | null };
  allowPrivateHosts: boolean;
  /** Longest silence of a model server (ms); Node's own patience unless set. */
  idleTimeoutMs?: number;
  simulated: ModelAdapter;
};

/** Picks the model that speaks for an agent of this user, on whose account its words go. */
export type Models = { choose: (settings: AgentModelSettings, userId: string) => ModelChoice };

export type ModelChoice = { ok: true; value: LanguageModel } | { ok: false; error: ModelFailure };

const openAiUrl = 'https://api.openai.com/v1';
const isOpenAi = (address: string) => new URL(address).host === new URL(openAiUrl).host;
const notConfigured: ModelChoice = { ok: false, error: { code: 'model_not_configured', transient: false } };

/**
 * The agent's own key or address first; a server-wide key next, which goes to the operator's address only; where there is
 * neither, the simulated model. A provider that has a key but cannot be called yet is a failure, never a simulation.
 */
export function createModels(options: ModelsOptions): Models {
  const { serverWide, simulated } = options;
  const idle = options.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: options.idleTimeoutMs };
  const usersAddress = createEgress({ allowPrivate: options.allowPrivateHosts, ...idle });
  const operatorsAddress = createEgress({ allowPrivate: true, ...idle });

  const openAi = (settings: AgentModelSettings): ModelAdapter => {
    const named = { provider: 'openai', model: settings.model };
    if (settings.apiKey !== null || settings.baseUrl !== null) {
      return openAiCompatibleModel({ ...named, baseUrl: settings.baseUrl ?? openAiUrl, apiKey: settings.apiKey, fetch: usersAddress });
    }
    // A server of the operator's own choosing may need no key; OpenAI's does.
    if (serverWide.openAiApiKey === null && isOpenAi(serverWide.openAiBaseUrl)) return simulated;
    return openAiCompatibleModel({ ...named, baseUrl: serverWide.openAiBaseUrl, apiKey: serverWide.openAiApiKey, fetch: operatorsAddress });
  };

  return {
    choose(settings) {
      switch (settings.providerType) {
        case 'simulated':
          return { ok: true, value: withTurns(simulated) };
        case 'openai':
          return { ok: true, value: withTurns(openAi(settings)) };
        case 'anthropic':
          return settings.apiKey || serverWide.anthropicApiKey ? notConfigured : { ok: true, value: withTurns(simulated) };
        case 'gigachat':
        case 'yandexgpt':
          return settings.apiKey ? notConfigured : { ok: true, value: withTurns(simulated) };
        default:
          return settings.providerType satisfies never;
      }
    },
  };
}
