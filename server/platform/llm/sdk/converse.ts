import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { withoutTrailingSlashes } from '../../../../contract/without-trailing-slashes.ts';
import type { Answer } from '../../egress/egress.ts';
import { failureOfError } from '../classify-failure.ts';
import type { Conversation, Hold, ModelOutcome, OnText } from '../language-model.ts';
import type { ModelTraits } from '../model-traits.ts';
import { anthropic } from './anthropic.ts';
import { askServer } from './ask-server.ts';
import { chat } from './chat.ts';
import { google } from './google.ts';
import type { Source } from './kept-turn.ts';
import type { Protocol, ProtocolRequest } from './protocol.ts';
import { readAnswer } from './read-answer.ts';
import { ReceivedAnswer } from './received-answer.ts';
import { responses } from './responses.ts';
import type { SdkModelOptions } from './sdk-model.ts';
import { type ResultForm, toPrompt } from './to-prompt.ts';

export const protocols = { chat, responses, anthropic, google } satisfies Record<string, Protocol>;

/** A model at its server, as all its calls ask it. */
type ModelAtServer = Omit<SdkModelOptions, 'baseUrl' | 'traits'> & {
  traits: ModelTraits;
  address: URL;
  /** With the key, and those of the connection. */
  headers: Record<string, string>;
  protocol: keyof typeof protocols;
  results: ResultForm;
};
type Listener = { signal: AbortSignal; onText: OnText; hold: Hold | undefined };

/** Makes one attempt at an answer. */
export async function converse(
  asked: ModelAtServer,
  conversation: Conversation,
  { signal, onText, hold }: Listener,
): Promise<ModelOutcome> {
  const failureOf = (error: unknown) => failureOfError(error, signal, asked.apiKey);
  const protocol: Protocol = protocols[asked.protocol];
  const source: Source = [asked.provider, asked.address.host, asked.model];
  let options: LanguageModelV4CallOptions;
  let answer: Answer;
  let isWithoutEffort: boolean;
  try {
    options = optionsOf(conversation, protocol, toPrompt(conversation, asked.results, source));
    ({ answer, isWithoutEffort } = await send(asked, conversation.idempotencyKey, await protocol.request(asked.model, options), signal));
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
  const received = new ReceivedAnswer({ source, onText, hold, scrubber: answer.scrubber });
  const reader = protocol.read(received, options);
  const outcome = await readAnswer(answer, { reader, eventsOf: protocol.eventsOf, received, hold })
    .then(() => received.end())
    .catch((error): ModelOutcome => ({ ok: false, error: failureOf(error) }));
  if (outcome.ok) return isWithoutEffort ? { ok: true, value: { ...outcome.value, isWithoutEffort } } : outcome;
  return { ok: false, error: { ...outcome.error, used: { reported: received.usage, isWhole: received.isWhole } } };
}

function send(asked: ModelAtServer, idempotencyKey: string, request: ProtocolRequest, signal: AbortSignal): ReturnType<typeof askServer> {
  const { address, call, connection, model, traits } = asked;
  const made = { ...connection?.extraBody, ...withoutUnset(request.body) };
  return askServer({
    call,
    model,
    traits,
    signal,
    host: address.host,
    href: hrefOf(address, request),
    headers: { 'content-type': 'application/json', ...request.headers, 'idempotency-key': idempotencyKey, ...asked.headers },
    body: asked.adjust?.(made) ?? made,
  });
}

/** The library leaves what is unset as `undefined`, also in settings inside. It would hide further fields of a connection, and count as sent. */
function withoutUnset(fields: Record<string, unknown>): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
    set[name] = isFields ? withoutUnset(value as Record<string, unknown>) : value;
  }
  return set;
}

/** Returns the address of a call below that of the API, with the query of both. */
function hrefOf({ origin, pathname, search }: URL, { path, query }: ProtocolRequest): string {
  const base = `${origin}${withoutTrailingSlashes(pathname)}${path}`;
  if (!query) return `${base}${search}`;
  const all = new URLSearchParams(search);
  for (const [name, value] of Object.entries(query)) all.set(name, value);
  return `${base}?${all}`;
}

function optionsOf(conversation: Conversation, protocol: Protocol, plain: LanguageModelV4Prompt): LanguageModelV4CallOptions {
  const stable = conversation.messages.find(({ role }) => role === 'user')?.stable ?? 0;
  const prompt = protocol.markBorders?.(plain, stable) ?? plain;
  return { prompt, ...settingsOf(conversation), providerOptions: protocol.options(conversation) };
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
