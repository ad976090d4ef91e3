import type { z } from 'zod';
import type { BodyLimits } from './body-limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call: the server validates and answers by it, the client's types and the OpenAPI document come from it. */
export type Route = {
  method: Method;
  /** Below `/api`, parameters in braces: `/project/{id}/canvas`. Matched case-insensitively. */
  path: string;
  tag: string;
  /** Who may call: anybody, a signed-in user, staff. */
  auth: 'public' | 'user' | 'staff';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /**
   * A repeated `Idempotency-Key` does not write again. With `true` it answers the first call's answer; with `continued` what that
   * answer tells of is looked at again, and answered as it is by then.
   */
  idempotent?: true | 'continued';
  /** A caller who accepts `text/event-stream` is answered with Server-Sent Events. */
  events?: true;
  /** The answer is no JSON but a file of this media type, to be saved under a name that the server gives. */
  produces?: 'text/plain' | 'text/x-patch' | 'application/zip';
  /** What a body may hold at most, `usualBody` unless set. */
  bodyLimits?: BodyLimits;
  /** A stricter counter than the one that every route has. */
  limit?: 'login' | 'register' | 'refresh' | 'forgotten' | 'reset' | 'verify' | 'lead' | 'command' | 'ticket';
};

/** Keeps the literal types of one route. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

export type ParamsOf<R extends Route> = Parsed<R['params']>;
export type QueryOf<R extends Route> = Parsed<R['query']>;
export type BodyOf<R extends Route> = Parsed<R['body']>;
export type SentQueryOf<R extends Route> = Sent<R['query']>;
export type SentBodyOf<R extends Route> = Sent<R['body']>;
export type ResponseOf<R extends Route> = z.output<R['response']>;
