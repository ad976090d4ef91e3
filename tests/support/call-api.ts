import type { z } from 'zod';
import { type ErrorBody, errorBody } from '../../contract/errors.ts';
import { failuresOf } from '../../contract/failures.ts';
import type { ResponseOf, Route, SentBodyOf } from '../../contract/route.ts';
import { type RouteName, type Routes, routes } from '../../contract/routes.ts';
import { codes } from '../../server/http/api-error.ts';

type Sent<K extends RouteName> = {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: SentBodyOf<Routes[K]>;
  headers?: Record<string, string>;
};

type Refusal = ErrorBody & { status: number; headers: Headers };

/** One caller of one server, with or without an access token. */
export type Caller = {
  /** Calls a route, requires a success, and checks the answer against the contract. */
  ask: <K extends RouteName>(name: K, sent?: Sent<K>) => Promise<ResponseOf<Routes[K]>>;
  /** Calls a route, requires a failure that the contract has, and checks the error body. The request body may be anything. */
  refused: (name: RouteName, sent?: Omit<Sent<RouteName>, 'body'> & { body?: unknown }) => Promise<Refusal>;
  /** The call without any check. */
  send: (name: RouteName, sent?: Omit<Sent<RouteName>, 'body'> & { body?: unknown }) => Promise<Response>;
};

export function callerOf(url: string, accessToken?: string): Caller {
  const send: Caller['send'] = (name, sent = {}) => {
    const route: Route = routes[name];
    const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(sent.params?.[key] ?? ''));
    const query = new URLSearchParams(Object.entries(sent.query ?? {}).map(([key, value]) => [key, String(value)]));
    return fetch(`${url}/api${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: route.method,
      headers: {
        'content-type': 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && {
        body: typeof sent.body === 'string' || sent.body instanceof Uint8Array ? (sent.body as BodyInit) : JSON.stringify(sent.body),
      }),
    });
  };
  return {
    send,
    ask: async (name, sent) => {
      const response = await send(name, sent);
      const text = await response.text();
      const route: Route = routes[name];
      if (response.status !== route.status) throw new Error(`${name} answered ${response.status}: ${text}`);
      return (route.response as z.ZodType).parse(text === '' ? undefined : JSON.parse(text)) as never;
    },
    refused: async (name, sent) => {
      const response = await send(name, sent);
      const text = await response.text();
      if (response.ok) throw new Error(`${name} was expected to fail and answered ${response.status}: ${text}`);
      const described = failuresOf(name, routes[name]).some((code) => codes[code].status === response.status);
      if (!described) throw new Error(`${name} answered ${response.status}, of which contract/failures.ts says nothing: ${text}`);
      return { ...errorBody.parse(JSON.parse(text)), status: response.status, headers: response.headers };
    },
  };
}

export type Member = Caller & { id: string; email: string; accessToken: string; refreshToken: string };

let count = 0;

/** Creates an account and returns a caller with its token. */
export async function signUp(
  url: string,
  given: { email?: string; password?: string; name?: string; language?: string } = {},
): Promise<Member> {
  const email = given.email ?? `person-${process.pid}-${++count}@example.com`;
  const { accessToken, refreshToken, user } = await callerOf(url).ask('auth.register', {
    body: { email, password: given.password ?? 'a quiet long phrase', name: given.name ?? 'Person' },
    headers: { 'accept-language': given.language ?? 'ru' },
  });
  return { ...callerOf(url, accessToken), id: user.id, email, accessToken, refreshToken };
}
