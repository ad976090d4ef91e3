import type { z } from 'zod';
import { type ErrorBody, type ErrorCode, errorBody } from '../../../../contract/errors.ts';
import { failuresOf } from '../../../../contract/failures.ts';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf, Route } from '../../../../contract/route.ts';
import { type RouteName, type Routes, routes } from '../../../../contract/routes.ts';
import { codes } from '../../../../server/http/api-error.ts';

/** A call as the contract reads it: with the defaults of its schemas. */
type Asked<K extends RouteName> = { params: ParamsOf<Routes[K]>; query: QueryOf<Routes[K]>; body: BodyOf<Routes[K]> };

/** What a test answers to each route. A function gets the call, and may throw a `Refused`. */
export type Answers = { [K in RouteName]?: (asked: Asked<K>) => ResponseOf<Routes[K]> | Promise<ResponseOf<Routes[K]>> };

/** A refusal that the route has by `contract/failures.ts`. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly more: Partial<ErrorBody>;
  constructor(code: ErrorCode, more: Partial<ErrorBody> = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** `body`: the bytes that were sent, or null. */
export type Call = { method: string; url: string; body: Buffer | null };
export type Reply = { status: number; headers?: Record<string, string>; json?: unknown; contentType?: string; body?: string | Buffer };

type Matched = { name: RouteName; route: Route; params: Record<string, string> };

/** Routes with fewer parameters come first: `/project/active` is no project's id. */
const table = (Object.entries(routes) as [RouteName, Route][])
  .map(([name, route]) => ({ name, route, parts: route.path.toLowerCase().split('/') }))
  .toSorted((one, other) => one.route.path.split('{').length - other.route.path.split('{').length);

/**
 * The API of a page without a server: answers that a test gives by the route table. Both ways are held to the contract, so that a test does
 * not outlive it: a call that a route's schemas refuse, a call without an answer, and an answer or refusal that the contract does not have are `faults`.
 */
export class PlayedApi {
  /** The names of all calls, in order. */
  readonly calls: RouteName[] = [];
  readonly faults: string[] = [];
  /** Where the page is served that calls it. */
  readonly url: string;
  #answers: Answers = {};

  constructor(url: string) {
    this.url = url;
  }

  /** Answers these routes so from now on, also where they were answered before. */
  answer(answers: Answers): void {
    this.#answers = { ...this.#answers, ...answers };
  }

  /** Returns what the server would send to a call. */
  async reply(call: Call): Promise<Reply> {
    const matched = matchOf(call);
    if (!matched) return this.#refuse('not_found', `${call.method} ${call.url} is no route`);
    const { name, route } = matched;
    this.calls.push(name);
    const answer = this.#answers[name] as ((asked: unknown) => unknown) | undefined;
    if (!answer) return this.#refuse('not_found', `${name} has no answer`);
    try {
      return replyWith(route, await answer(askedOf(call, matched)));
    } catch (error) {
      if (!(error instanceof Refused)) return this.#refuse('internal', `${name}: ${error}`);
      const isKnown = failuresOf(name, route).some((code) => codes[code].status === codes[error.code].status);
      return this.#refuse(error.code, isKnown ? null : `contract/failures.ts has no ${error.code} of ${name}`, error.more);
    }
  }

  #refuse(code: ErrorCode, fault: string | null, more: Partial<ErrorBody> = {}): Reply {
    if (fault !== null) this.faults.push(fault);
    return { status: codes[code].status, json: errorBody.parse({ code, message: '', requestId: 'played', ...more }) };
  }
}

/** Matched as the server does: case-insensitively. */
function matchOf({ method, url }: Call): Matched | null {
  const parts = new URL(url).pathname.replace(/^\/api/, '').split('/');
  const found = table.find(
    ({ route, parts: expected }) =>
      route.method === method &&
      expected.length === parts.length &&
      expected.every((part, at) => part.startsWith('{') || part === parts[at]?.toLowerCase()),
  );
  if (!found) return null;
  const named = found.route.path.split('/').map((part, at) => [part, decodeURIComponent(parts[at] ?? '')] as const);
  const params = Object.fromEntries(named.flatMap(([part, value]) => (part.startsWith('{') ? [[part.slice(1, -1), value]] : [])));
  return { name: found.name, route: found.route, params };
}

function askedOf({ url, body }: Call, { route, params }: Matched): unknown {
  const query = Object.fromEntries(new URL(url).searchParams);
  const sent = body === null || route.takes ? body : JSON.parse(body.toString());
  const read = (schema: z.ZodType | undefined, given: unknown) => schema?.parse(given ?? undefined);
  return { params: read(route.params, params), query: read(route.query, query), body: read(route.body, sent) };
}

function replyWith({ response, status, produces }: Route, answer: unknown): Reply {
  response.parse(answer);
  if (answer === undefined) return { status };
  if (produces) return { status, contentType: produces, body: typeof answer === 'string' ? answer : Buffer.from(answer as Uint8Array) };
  return { status, json: answer, ...(Array.isArray(answer) && { headers: { 'x-total-count': String(answer.length) } }) };
}
