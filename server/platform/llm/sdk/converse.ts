import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { failureOfError } from '../classify-failure.ts';
import type { Conversation, Hold, ModelOutcome, OnText } from '../language-model.ts';
import type { ModelTraits } from '../model-traits.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { newExchange, type Protocol } from './exchange.ts';
import { google } from './google.ts';
import { modelFetch } from './model-fetch.ts';
import { readParts } from './read-parts.ts';
import { responses } from './responses.ts';
import type { SdkModelOptions } from './sdk-model.ts';
import { type ResultForm, toPrompt } from './to-prompt.ts';

export const protocols = { chat, responses, anthropic, google } satisfies Record<string, Protocol>;

type Asked = Omit<SdkModelOptions, 'baseUrl'> & {
  traits: ModelTraits;
  address: URL;
  /** With the key. */
  headers: Record<string, string>;
  protocol: keyof typeof protocols;
  results: ResultForm;
};
type Listener = { signal: AbortSignal; onText: OnText; hold: Hold | undefined };

/** Makes one attempt at an answer. */
export async function converse(asked: Asked, conversation: Conversation, { signal, onText, hold }: Listener): Promise<ModelOutcome> {
  const { provider, model, address, call, traits, connection, results } = asked;
  const { host } = address;
  const protocol: Protocol = protocols[asked.protocol];
  // Ends the request where the reader stops early.
  const stop = new AbortController();
  const failureOf = (error: unknown) => failureOfError(error, signal, asked.apiKey);
  const exchange = newExchange(onText, hold);
  const own = Object.entries(connection?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...asked.headers, 'idempotency-key': conversation.idempotencyKey, ...Object.fromEntries(own) };
  const adjust = (made: Record<string, unknown>) => {
    const body = { ...connection?.extraBody, ...made };
    return asked.adjust?.(body) ?? body;
  };
  try {
    const opened = await protocol.open({
      baseURL: `${address.origin}${address.pathname}`,
      model,
      fetch: modelFetch({
        call,
        protocol,
        headers,
        query: address.search,
        adjust,
        host,
        model,
        traits,
        exchange,
        onText,
        hold,
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
