import { modelCallsTools, modelSees, type ProviderType } from '../../../../contract/agent.ts';
import type { Egress } from '../../egress/egress.ts';
import { addressOf } from '../address-of.ts';
import type { ModelAdapter } from '../language-model.ts';
import { windowReader } from '../local/loaded-window.ts';
import { createModelTraits, type ModelTraits } from '../model-traits.ts';
import type { protocols } from './converse.ts';
import { keyHeaders } from './key-headers.ts';
import type { ResultForm } from './to-prompt.ts';

const border = { type: 'ephemeral' };

/**
 * Marks the borders up to which Claude keeps a prompt, in a body for OpenRouter: the end of tools and system prompt, and the end of the request, which
 * OpenRouter places itself. Bodies of other models stay as they are: these keep prompts without a mark.
 */
function withClaudeBorders(body: Record<string, unknown>): Record<string, unknown> {
  if (!String(body.model).startsWith('anthropic/') || !Array.isArray(body.messages)) return body;
  return { ...body, cache_control: body.cache_control ?? border, messages: body.messages.map(withBorder) };
}

function withBorder(message: { role: string; content: unknown }) {
  if (message.role !== 'system' || typeof message.content !== 'string') return message;
  return { ...message, content: [{ type: 'text', text: message.content, cache_control: border }] };
}

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
  /** Changes the body that the library has written, with the further fields of a connection. */
  adjust?: (body: Record<string, unknown>) => Record<string, unknown>;
};

/** How a provider speaks, takes results of tools, and wants its body changed. All but these speak chat completions. */
type Way = { protocol?: keyof typeof protocols; results?: ResultForm; adjust?: SdkModelOptions['adjust'] };
const ways: Partial<Record<ProviderType, Way>> = {
  anthropic: { protocol: 'anthropic', results: 'parts' },
  google: { protocol: 'google', results: 'parts' },
  openrouter: { adjust: withClaudeBorders },
  gigachat: { results: 'json' },
};

/** A model of any provider that the AI SDK speaks to, streamed. OpenAI's own server is asked by its Responses API. */
export function sdkModel(options: SdkModelOptions): ModelAdapter {
  const { provider, model, apiKey, traits = createModelTraits(null).of('') } = options;
  const address = new URL(addressOf(provider, options.baseUrl) ?? options.baseUrl);
  const { host } = address;
  const isOwn = provider === 'openai' && host === 'api.openai.com';
  const way = ways[provider] ?? {};
  const { protocol = isOwn ? 'responses' : 'chat', results = isOwn ? 'parts' : 'text', adjust = options.adjust } = way;
  const own = Object.entries(options.connection?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...keyHeaders(provider, apiKey), ...Object.fromEntries(own) };
  const atServer = { ...options, adjust, traits, address, headers, protocol, results };
  const readWindow = windowReader(provider, atServer);
  return {
    provider,
    model,
    host,
    ...(readWindow && { readWindow }),
    simulated: false,
    sees: modelSees(provider, model),
    callsTools: modelCallsTools(provider, model),
    contextWindow: traits.peek(host, model).context,
    async converse(conversation, signal, onText, _onWait, hold) {
      // A server that starts needs no protocol yet.
      const { converse } = await import('./converse.ts');
      return converse(atServer, conversation, { signal, onText, hold });
    },
  };
}
