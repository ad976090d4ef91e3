import type { z } from 'zod';
import type { ApiAnswer, ApiCall } from '../services/git-server.ts';
import type { ForgeState, PlayedCheck, PlayedComment, PlayedLabelEvent, PlayedThread, PlayedUser } from './forge-state.ts';

export type RestAnswer = NonNullable<ApiAnswer>;
export type RestCall = { path: Record<string, string>; query: URLSearchParams; body: unknown; user: PlayedUser; url: URL };

/** One call of a forge. A call with another query, another body or by an account without rights is refused. */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Below the root of the API; `:name` is one part of it. */
  path: string;
  query?: readonly string[];
  body?: z.ZodType;
  answer: (call: RestCall) => RestAnswer | Promise<RestAnswer>;
};

/** What an event is told to a hook with. */
export type PlayedEvent =
  | { kind: 'label'; thread: PlayedThread; event: PlayedLabelEvent }
  | { kind: 'comment'; thread: PlayedThread; comment: PlayedComment }
  | { kind: 'review'; thread: PlayedThread; comment: PlayedComment }
  | { kind: 'check'; check: PlayedCheck; branch: string };
type Delivery = { headers: Record<string, string>; body: object };

/** What a kind of forge needs of the place that it is played in. */
export type Played = {
  state: ForgeState;
  /** Without a slash at the end. */
  origin: string;
  /** `owner/name`. */
  repository: string;
  /** Returns the commit of a branch; null for none. */
  headOf: (branch: string) => Promise<string | null>;
  /** Tells the hooks. */
  tell: (event: PlayedEvent) => void;
};

/** How one kind of forge speaks. */
export type Protocol = {
  /** The root of the API. */
  root: string;
  /** Returns the token of a call, or why its headers are refused. */
  tokenOf: (headers: ApiCall['headers']) => string | RestAnswer;
  routes: (played: Played) => Route[];
  delivery: (played: Played, event: PlayedEvent) => Delivery;
  /** The headers that prove a delivery. `id` is the same when it comes again. */
  proof: (secret: string, body: string, id: string) => Record<string, string>;
};

export const ok = (body: unknown, headers?: Record<string, string>): RestAnswer => ({ status: 200, body, ...(headers && { headers }) });
export const created = (body: unknown): RestAnswer => ({ status: 201, body });
export const refused = (status: number, message: string): RestAnswer => ({ status, body: { message } });
export const notFound = refused(404, 'Not Found');

/** Finds the route of a call, and answers as it does. */
export async function answerRest(routes: readonly Route[], root: string, call: ApiCall, user: PlayedUser): Promise<RestAnswer> {
  const url = new URL(call.url, 'http://forge');
  const path = url.pathname.slice(root.length);
  for (const route of routes) {
    const found = route.method === call.method ? partsOf(route.path, path) : null;
    if (!found) continue;
    const unknown = [...url.searchParams.keys()].find((name) => !route.query?.includes(name));
    if (unknown !== undefined) return refused(422, `The played forge knows no parameter ${unknown} of ${route.path}.`);
    const body = route.body?.safeParse(call.body);
    if (body && !body.success) return refused(422, `Validation Failed: ${body.error.message}`);
    if (!route.body && call.body !== null) return refused(422, 'Unexpected body.');
    return route.answer({ path: found, query: url.searchParams, body: body?.data, user, url });
  }
  return notFound;
}

function partsOf(pattern: string, path: string): Record<string, string> | null {
  const [names, parts] = [pattern.split('/'), path.split('/')];
  if (names.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? '';
    if (name.startsWith(':')) found[name.slice(1)] = decodeURIComponent(part);
    else if (name !== part) return null;
  }
  return found;
}

/** One page of a list, with the links to others. `size`: the parameter of its length. */
export function page<T>(
  all: readonly T[],
  { query, url }: RestCall,
  size: 'per_page' | 'limit',
): { entries: T[]; headers: Record<string, string> } {
  const largest = size === 'limit' ? 50 : 100;
  const length = Math.min(largest, Number(query.get(size) ?? 30));
  const at = Math.max(1, Number(query.get('page') ?? 1));
  const last = Math.max(1, Math.ceil(all.length / length));
  const link = (number: number, rel: string) => {
    const next = new URL(url);
    next.searchParams.set('page', String(number));
    return `<${next.href}>; rel="${rel}"`;
  };
  const links = [...(at < last ? [link(at + 1, 'next'), link(last, 'last')] : []), ...(at > 1 ? [link(1, 'first')] : [])];
  return {
    entries: all.slice((at - 1) * length, at * length),
    headers: { 'x-total-count': String(all.length), ...(links.length > 0 && { link: links.join(', ') }) },
  };
}

/** An instant without its milliseconds. */
export const seconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z');
/** Returns the instants as of the whole second, as forges that count seconds compare them. */
export const wholeSecond = (at: Date | string) => Math.floor(new Date(at).getTime() / 1_000);
