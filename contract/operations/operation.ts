import type { z } from 'zod';
import type { Route } from '../route.ts';
import type { RouteName, Routes } from '../routes.ts';

/**
 * The documentation of one API operation. The OpenAPI document is made from it. Only the server imports it: the client's bundle holds
 * the route table without these texts.
 */
export type OperationDoc<R extends Route = Route> = {
  /** One line, for lists of operations. */
  summary: string;
  /** One to three sentences: the effect, the permitted callers, and important limits and errors. Backticks mark code. */
  description: string;
  /** A valid request and its response. Unit tests parse both with the schemas of the route. */
  example: RequestExample<R> & ResponseExample<R['response']>;
};

/** The docs of all operations whose names begin with `Group` and a dot. */
export type OperationDocs<Group extends string> = {
  [Name in RouteName as Name extends `${Group}.${string}` ? Name : never]: OperationDoc<Routes[Name]>;
};

type RequestExample<R extends Route> = Field<R, 'params'> & OptionalField<R, 'query'> & Field<R, 'body'>;

type Field<R, Key extends string> = R extends Record<Key, infer S> ? { [key in Key]: Sent<S> } : Record<never, never>;

type OptionalField<R, Key extends string> =
  R extends Record<Key, infer S>
    ? Record<never, never> extends Sent<S>
      ? { [key in Key]?: Sent<S> }
      : Field<R, Key>
    : Record<never, never>;

type Sent<S> = S extends z.ZodType ? z.input<S> : never;

/** Operations with an empty or a binary response show no response. */
type ResponseExample<S extends z.ZodType> =
  z.output<S> extends undefined ? Record<never, never> : z.output<S> extends Uint8Array ? Record<never, never> : { response: z.output<S> };
