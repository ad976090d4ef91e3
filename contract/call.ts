import type { ParamsOf, ResponseOf, SentBodyOf, SentQueryOf } from './route.ts';
import type { RouteName, Routes } from './routes.ts';

type Sent<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Record<string, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call of a route sends. `Form`: a form where the route takes one. `More`: options of the caller's own. */
export type CallInput<R extends RouteName, Form = never, More = unknown> = (ParamsOf<Routes[R]> extends undefined
  ? { params?: undefined }
  : { params: ParamsOf<Routes[R]> }) &
  (SentQueryOf<Routes[R]> extends undefined ? { query?: undefined } : { query?: SentQueryOf<Routes[R]> }) &
  (SentBodyOf<Routes[R]> extends undefined
    ? { body?: undefined }
    : Sent<'body', SentBodyOf<Routes[R]> | ('form' extends keyof Routes[R] ? Form : never)>) & { idempotencyKey?: string } & More;

/** The arguments of a call after its route's name: none where nothing has to be sent. */
export type Sending<R extends RouteName, Form = never, More = unknown> =
  Record<string, never> extends CallInput<R, Form, More> ? [CallInput<R, Form, More>?] : [CallInput<R, Form, More>];

export type ResponseTo<R extends RouteName> = ResponseOf<Routes[R]>;
