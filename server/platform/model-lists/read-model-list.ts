import { z } from 'zod';
import { connectionLimits, type ModelConnection } from '../../../contract/model-connection.ts';
import type { Egress } from '../egress/egress.ts';
import { addressOf, endpointOf } from '../llm/address-of.ts';
import { parseBoundedJson } from '../llm/bounded-json.ts';
import { httpFailure } from '../llm/http-failure.ts';
import { smallestWindow, windowInPs, windowsInShow } from '../llm/local/loaded-window.ts';
import { keyHeaders } from '../llm/sdk/key-headers.ts';
import type { ListedModel, ModelList } from './listed-model.ts';
import { parseModels, withoutAbsent } from './parse-models.ts';

type Provider = ModelConnection['provider'];

const version = /\/v\d+(?:beta\d*|alpha\d*)?$/;

/** Returns the address of a resource of an API, with the fields behind its query. `pasted` is an address that was checked when it was saved. */
function resource(provider: Provider, pasted: string, path: string, fields: Record<string, string> = {}): string {
  const url = new URL(endpointOf(addressOf(provider, pasted) ?? pasted, path));
  for (const [field, value] of Object.entries(fields)) url.searchParams.set(field, value);
  return url.href;
}

/** Returns the address of a server's own API, beside the compatible one with a version in its path. */
function ownResource(provider: Provider, pasted: string, path: string): string {
  const url = new URL(addressOf(provider, pasted) ?? pasted);
  url.pathname = url.pathname.replace(version, '');
  return endpointOf(url.href, path);
}

/** A server whose list is read. `authorization`: the token that GigaChat gives for its key. */
export type ListedServer = {
  provider: ModelConnection['provider'];
  address: string;
  apiKey: string | null;
  headers: Record<string, string> | null;
};

/** The server has no list of models. */
export class NoModelList extends Error {}
/** The server answers in another form. */
export class UnknownListForm extends Error {}

/** A list in pages that never ends is cut here; each page is bounded by the egress. */
const maxPages = 10;
const pageSize = '1000';
/** Models of Ollama whose window and abilities are asked for, each with a call of its own. */
const maxShown = 20;

type Get = (address: string, body?: unknown) => Promise<unknown>;

/**
 * Reads the list of a server, once and within its limits. Throws `NoModelList`, `UnknownListForm`, an HttpFailure, or the errors of the egress.
 * `call` limits the time of a call, and `signal` that of all of them.
 */
export async function readModelList(server: ListedServer, call: Egress, signal: AbortSignal): Promise<ModelList> {
  const get = getterFor(server, call, signal);
  const { provider, address } = server;
  const list = (fields: Record<string, string> = {}) => resource(provider, address, '/models', fields);
  switch (provider) {
    case 'yandexgpt':
      throw new NoModelList();
    case 'anthropic':
      return kept(await readPages((after) => get(list({ limit: pageSize, ...(after !== null && { after_id: after }) })), anthropicPage));
    case 'google':
      return kept(await readPages((after) => get(list({ pageSize, ...(after !== null && { pageToken: after }) })), googlePage));
    case 'ollama':
      return kept(await ollamaModels(get, (path) => ownResource(provider, address, path)));
    case 'lmstudio':
      return kept(formOrThrow(await firstFound(get, [ownResource(provider, address, '/api/v0/models'), list()])));
    default:
      return kept(formOrThrow(await firstFound(get, [list()])));
  }
}

function getterFor({ provider, apiKey, headers }: ListedServer, call: Egress, signal: AbortSignal): Get {
  const own = { ...keyHeaders(provider, apiKey), ...(provider === 'anthropic' && { 'anthropic-version': '2023-06-01' }) };
  const secrets = [...(apiKey === null ? [] : [apiKey]), ...Object.values(headers ?? {})];
  return async (address, body) => {
    const answer = await call(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...own, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
      secrets,
    });
    if (!answer.ok) throw await httpFailure(answer);
    const text = await answer.text();
    try {
      return parseBoundedJson(text);
    } catch (error) {
      if (error instanceof SyntaxError) throw new UnknownListForm();
      throw error;
    }
  };
}

/** Returns the answer of the first place that has one. Throws `NoModelList` where all say that there is nothing. */
async function firstFound(get: Get, places: readonly string[]): Promise<unknown> {
  for (const place of places) {
    try {
      return await get(place);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new NoModelList();
}

function isMissing(error: unknown): boolean {
  const status = (error as { statusCode?: number }).statusCode;
  return status === 404 || status === 405 || status === 501 || error instanceof UnknownListForm;
}

type Page = { models: ListedModel[]; next: string | null };

async function readPages(read: (after: string | null) => Promise<unknown>, parse: (body: unknown) => Page): Promise<ListedModel[]> {
  const models: ListedModel[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { models: more, next } = parse(await read(after));
    models.push(...more);
    if (next === null || next === after || models.length > connectionLimits.models) break;
    after = next;
  }
  return models;
}

function anthropicPage(body: unknown): Page {
  const about = z.object({ has_more: z.boolean().catch(false), last_id: z.string().nullish().catch(null) }).safeParse(body);
  const next = about.success && about.data.has_more ? (about.data.last_id ?? null) : null;
  return { models: formOrThrow(body), next };
}

const googleModel = z.object({
  name: z.string(),
  inputTokenLimit: z.number().int().min(1).optional().catch(undefined),
  supportedGenerationMethods: z.array(z.string()).optional().catch(undefined),
});
const googleBody = z.object({ models: z.array(z.unknown()), nextPageToken: z.string().min(1).optional().catch(undefined) });

function googlePage(body: unknown): Page {
  const parsed = googleBody.safeParse(body);
  if (!parsed.success) throw new UnknownListForm();
  const models = parsed.data.models.flatMap((one) => {
    const model = googleModel.safeParse(one);
    if (!model.success || model.data.supportedGenerationMethods?.includes('generateContent') === false) return [];
    return [withoutAbsent({ id: model.data.name.replace(/^models\//, ''), context: model.data.inputTokenLimit })];
  });
  return { models, next: parsed.data.nextPageToken ?? null };
}

const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
const ollamaShown = z.object({ capabilities: z.array(z.string()).optional().catch(undefined) });

async function ollamaModels(get: Get, at: (path: string) => string): Promise<ListedModel[]> {
  const tags = ollamaTags.safeParse(await firstFound(get, [at('/api/tags')]));
  if (!tags.success) throw new UnknownListForm();
  const running = await get(at('/api/ps')).catch(() => null);
  const shown = tags.data.models.slice(0, maxShown).map(async ({ name }) => {
    const body = await get(at('/api/show'), { model: name }).catch(() => null);
    const answer = ollamaShown.safeParse(body);
    if (!answer.success) return withoutAbsent({ id: name });
    const { capabilities } = answer.data;
    const { numCtx, length } = windowsInShow(body);
    return withoutAbsent({
      id: name,
      context: smallestWindow(windowInPs(running, name), numCtx, length) ?? undefined,
      tools: capabilities?.includes('tools'),
      sees: capabilities?.includes('vision'),
    });
  });
  return [...(await Promise.all(shown)), ...tags.data.models.slice(maxShown).map(({ name }) => ({ id: name }))];
}

function formOrThrow(body: unknown): ListedModel[] {
  const models = parseModels(body);
  if (models === null) throw new UnknownListForm();
  return models;
}

/** What no name of a model has: it would break a line, or turn the text around it. */
const unfit = /[\p{Cc}\p{Bidi_Control}]/u;

/** Names that can be stored, sent and shown, each once, and as many as are kept. */
function kept(all: readonly ListedModel[]): ModelList {
  const named = all.filter(({ id }) => id.length > 0 && id.length <= 200 && id.isWellFormed() && !unfit.test(id));
  const models = [...new Map(named.map((model) => [model.id, model])).values()];
  return { models: models.slice(0, connectionLimits.models), leftOut: Math.max(0, models.length - connectionLimits.models) };
}
