import { type ConnectionUpdate, connectionLimits, type ModelConnection } from '../../../contract/model-connection.ts';
import type { ServerText } from '../../http/language.ts';
import { isHome, providerAddresses } from '../../platform/llm/provider-addresses.ts';

/** What is wrong with a field of a connection. */
export type FieldProblem = { path: string; text: ServerText; params?: Record<string, string | number> };

type Provider = ModelConnection['provider'];

/** Headers that calls have themselves, or that would change where a call goes and how long it is. */
const reservedHeaders = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['content-length', 'content-type', 'content-encoding', 'accept', 'accept-encoding', 'expect', 'cookie', 'set-cookie'],
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'idempotency-key'],
]);

/** Fields of a body that calls have themselves. */
const reservedFields = new Set([
  ...['model', 'messages', 'input', 'contents', 'system', 'system_instruction', 'systemInstruction', 'instructions', 'prompt'],
  ...['tools', 'tool_choice', 'tool_config', 'toolConfig', 'functions', 'stream', 'stream_options', 'n', 'store', '__proto__'],
]);
const maxDepth = 8;

/** Beginnings of keys that one provider alone has. */
const keysOf: readonly [RegExp, Provider, string][] = [
  [/^sk-ant-/, 'anthropic', 'Anthropic'],
  [/^sk-or-/, 'openrouter', 'OpenRouter'],
  [/^sk-(?:proj|svcacct|admin)-/, 'openai', 'OpenAI'],
  [/^AIza/, 'google', 'Google'],
  [/^xai-/, 'xai', 'xAI'],
  [/^AQVN/, 'yandexgpt', 'YandexGPT'],
];

/** Providers that are called with a key only, at any address. */
const keyNeeded: ReadonlySet<Provider> = new Set(['gigachat', 'yandexgpt']);

/** Returns the provider that a key is of, if it is another one than that of the server that it would be sent to. */
export function checkKey(provider: Provider, address: string | null, apiKey: string | null | undefined): FieldProblem[] {
  if (apiKey == null || !(address === null ? providerAddresses[provider] !== null : isHome(provider, address))) return [];
  const owner = keysOf.find(([form]) => form.test(apiKey));
  return owner && owner[1] !== provider ? [{ path: 'apiKey', text: 'field.foreign_key', params: { provider: owner[2] } }] : [];
}

/** A server at the provider's own address needs a key; one at another address may need none. */
export function checkNeeds(provider: Provider, address: string | null, hasKey: boolean): FieldProblem[] {
  if (address === null && providerAddresses[provider] === null) return [{ path: 'address', text: 'field.address_missing' }];
  const mayHaveNone = address !== null || provider === 'ollama' || provider === 'lmstudio';
  if (!hasKey && (!mayHaveNone || keyNeeded.has(provider))) return [{ path: 'apiKey', text: 'field.key_missing' }];
  return [];
}

/** `known`: names of headers whose values are stored for the same host. */
export function checkHeaders(headers: ConnectionUpdate['headers'], known: readonly string[]): FieldProblem[] {
  const seen = new Set<string>();
  return (headers ?? []).flatMap(({ name, value }, index): FieldProblem[] => {
    const at = (part: 'name' | 'value') => `headers.${index}.${part}`;
    const params = { name: shown(name) };
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return [{ path: at('name'), text: 'field.header_name' }];
    const lower = name.toLowerCase();
    if (reservedHeaders.has(lower) || lower.startsWith('sec-')) return [{ path: at('name'), text: 'field.header_reserved', params }];
    if (seen.has(lower)) return [{ path: at('name'), text: 'field.header_twice', params }];
    seen.add(lower);
    if (value === null) return known.includes(name) ? [] : [{ path: at('value'), text: 'field.header_missing', params }];
    return /^[!-~]+(?: +[!-~]+)*$/.test(value) ? [] : [{ path: at('value'), text: 'field.header_value', params }];
  });
}

export function checkExtraBody(extraBody: ConnectionUpdate['extraBody']): FieldProblem[] {
  if (extraBody == null) return [];
  const reserved = Object.keys(extraBody).find((name) => reservedFields.has(name));
  if (reserved !== undefined) return [{ path: `extraBody.${reserved}`, text: 'field.body_reserved', params: { name: reserved } }];
  const limit = connectionLimits.extraBodyLength;
  if (JSON.stringify(extraBody).length > limit) return [{ path: 'extraBody', text: 'field.body_large', params: { limit } }];
  return depthOf(extraBody) > maxDepth ? [{ path: 'extraBody', text: 'field.body_deep', params: { limit: maxDepth } }] : [];
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** A name as a sentence may repeat it. */
function shown(name: string): string {
  return name.replace(/[^ -~]+/g, ' ').slice(0, 64);
}
