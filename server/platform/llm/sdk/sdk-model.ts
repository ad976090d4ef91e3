import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { modelCallsTools, modelSees, type ProviderType } from '../../../../contract/agent.ts';
import type { Egress } from '../../egress/egress.ts';
import { addressOf } from '../address-of.ts';
import { failureOfError } from '../classify-failure.ts';
import type { Conversation, ModelAdapter } from '../language-model.ts';
import { createModelTraits, type ModelTraits } from '../model-traits.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { newExchange, type Protocol } from './exchange.ts';
import { google } from './google.ts';
import { modelFetch } from './model-fetch.ts';
import { readParts } from './read-parts.ts';
import { responses } from './responses.ts';
import { type ResultForm, toPrompt } from './to-prompt.ts';

export type SdkModelOptions = {
  provider: Exclude<ProviderType, 'simulated'>;
  /** As a person has entered it: see `addressOf`. */
  baseUrl: string;
  /** Null for servers that need none. */
  apiKey: string | null;
  model: string;
  /** The limits for calls from this server: see `createEgress`. */
  call: Egress;
  traits?: ModelTraits;
  /** Of a connection: further headers, and further fields of the body. */
  connection?: { headers: Record<string, string>; extraBody: Record<string, unknown> | null };
  /** Changes the body that the library has made. */
  adjust?: (body: Record<string, unknown>) => Record<string, unknown>;
};

/** How a provider takes its key, and results of tools. All but these speak chat completions, with a bearer. */
const ways: Partial<Record<ProviderType, { protocol?: Protocol; key?: (key: string) => Record<string, string>; results?: ResultForm }>> = {
  anthropic: { protocol: anthropic, key: (key) => ({ 'x-api-key': key }), results: 'parts' },
  google: { protocol: google, key: (key) => ({ 'x-goog-api-key': key }), results: 'parts' },
  azure: { key: (key) => ({ 'api-key': key }) },
  yandexgpt: { key: (key) => ({ authorization: `Api-Key ${key}` }) },
  gigachat: { results: 'json' },
};
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** A model of any provider that the AI SDK speaks to, streamed. OpenAI's own server is asked by its Responses API. */
export function sdkModel(options: SdkModelOptions): ModelAdapter {
  const { provider, model, apiKey } = options;
  const url = new URL(addressOf(provider, options.baseUrl) ?? options.baseUrl);
  const { host, search } = url;
  url.search = '';
  const isOwn = provider === 'openai' && host === 'api.openai.com';
  const { protocol = isOwn ? responses : chat, key = bearer, results = isOwn ? 'parts' : 'text' } = ways[provider] ?? {};
  const traits = options.traits ?? createModelTraits(null);
  const { headers = {}, extraBody = null } = options.connection ?? {};

  return {
    ...{ provider, model, host, simulated: false, sees: modelSees(provider, model) },
    callsTools: modelCallsTools(provider, model),
    contextWindow: traits.peek(host, model).context,
    async converse(conversation, signal, onText, _onWait, hold) {
      // Ends the request where the reader stops early.
      const stop = new AbortController();
      const failureOf = (error: unknown) => failureOfError(error, signal, apiKey);
      const exchange = newExchange(onText, hold);
      const sent = { ...(apiKey === null ? {} : key(apiKey)), 'idempotency-key': conversation.idempotencyKey, ...headers };
      const adjust = (body: Record<string, unknown>) => ({ ...extraBody, ...(options.adjust?.(body) ?? body) });
      try {
        const opened = await protocol.open({
          ...{ baseURL: url.href.replace(/\/$/, ''), model },
          fetch: modelFetch({
            ...{ call: options.call, protocol, headers: sent, query: search, adjust, host, model, traits, exchange, onText, hold },
            signal: AbortSignal.any([signal, stop.signal]),
          }),
        });
        const source = [provider, host, model] as const;
        const plain = toPrompt(conversation, results, source);
        const stable = conversation.messages.find(({ role }) => role === 'user')?.stable ?? 0;
        const prompt = protocol.markBorders?.(plain, stable) ?? plain;
        const { stream } = await opened.doStream({ prompt, ...settingsOf(conversation), providerOptions: protocol.options(conversation) });
        return await readParts(stream, { hold, failureOf, exchange, source });
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      } finally {
        stop.abort();
      }
    },
  };
}

type Settings = Pick<LanguageModelV4CallOptions, 'temperature' | 'maxOutputTokens' | 'reasoning' | 'tools'>;

/** What is unset is not sent. */
function settingsOf({ tools = [], temperature, maxTokens, effort }: Conversation): Settings {
  const settings: Settings = {};
  if (temperature !== null) settings.temperature = temperature;
  if (maxTokens !== null) settings.maxOutputTokens = maxTokens;
  if (effort) settings.reasoning = effort;
  if (tools.length > 0)
    settings.tools = tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, inputSchema: parameters }));
  return settings;
}
