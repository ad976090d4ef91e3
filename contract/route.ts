import type { z } from 'zod';
import type { BodyLimits } from './body-limits.ts';
import type { Need } from './needs.ts';

/** The parts of a form by name: texts, and files with their bytes. */
export type FormParts = Record<string, string | { name: string; content: Uint8Array }>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The required access: none, a signed-in user, or staff. A call of a user names what it needs, and does not compile without; the project, or the account, that
 * it is needed for is the one that the call names.
 */
type Access = { auth: 'public' | 'staff'; needs?: never } | { auth: 'user'; needs: Need };

/** One route: the server validates by it, and the client's types and the OpenAPI document are derived from it. */
export type Route = Access & {
  method: Method;
  /** Below `/api`, parameters in braces: `/project/{id}/canvas`. Matched case-insensitively. */
  path: string;
  tag: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** Open to an account that is being deleted, which no other route is. */
  isOpenToLeaving?: true;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /**
   * A repeated `Idempotency-Key` does not write again. With `true` it returns the stored response of the first call. With `continued`
   * it reads the command that this response names again, and returns its present state.
   */
  idempotent?: true | 'continued';
  /** A caller that accepts `text/event-stream` gets Server-Sent Events. */
  events?: true;
  /** The response is a file of this media type with a name from the server, not JSON. */
  produces?: 'text/plain' | 'text/x-patch' | 'application/zip' | 'application/x-git-bundle';
  /** The body is bytes of any content type, not JSON. */
  takes?: 'application/octet-stream' | 'application/zip';
  /** The body may also be a form (`multipart/form-data`): what it stands for, before it is validated as JSON is. */
  form?: (parts: FormParts) => unknown;
  /** The limits of a body, `usualBody` unless set. */
  bodyLimits?: BodyLimits;
  /**
   * What a write of a signed-in user does to the account's storage. Unless set, it stores its body, and a full account gets `quota_reached`.
   * `edits` are small changes, which an account may make until it is a tenth above its limit. `work` goes on with a run that has begun, or
   * stores nothing that grows: it is never refused.
   */
  stores?: 'edits' | 'work';
  /** How often the body of a write is stored; once unless set. 0: the handler says how many bytes it stores. */
  copies?: number;
  /** A stricter rate limit than the one of all routes. */
  limit?:
    | 'login'
    | 'register'
    | 'refresh'
    | 'forgotten'
    | 'reset'
    | 'verify'
    | 'lead'
    | 'command'
    | 'ticket'
    | 'question'
    | 'input'
    | 'publish'
    | 'toolServer'
    | 'modelConnection'
    | 'export';
};

/** Keeps the literal types of one route. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

/** Whether a call adds to what its account stores: every write of a signed-in user that does not say otherwise. */
export function growsAccount({ method, auth, stores }: Route): boolean {
  return auth === 'user' && method !== 'GET' && method !== 'DELETE' && stores !== 'work';
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

export type ParamsOf<R extends Route> = Parsed<R['params']>;
export type QueryOf<R extends Route> = Parsed<R['query']>;
export type BodyOf<R extends Route> = Parsed<R['body']>;
export type SentQueryOf<R extends Route> = Sent<R['query']>;
export type SentBodyOf<R extends Route> = Sent<R['body']>;
export type ResponseOf<R extends Route> = z.output<R['response']>;
