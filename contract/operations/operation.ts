import type { z } from 'zod';
import type { Route } from '../route.ts';
import type { RouteName, Routes } from '../routes.ts';

/**
 * The documentation of one API operation. The OpenAPI document is made from it. Only the server imports it: the client's bundle holds
 * the route table without these texts.
 *
 * `summary`: one line, for lists of operations. `description`: one to three sentences on the effect, the permitted callers, and important limits
 * and errors; backticks mark code. `given`: what the example has beside samples of the schemas.
 */
export type OperationDoc<R extends Route = Route> = readonly [summary: string, description: string, given?: GivenExample<R>];

/** The docs of all operations whose names begin with `Group` and a dot. */
export type OperationDocs<Group extends string> = {
  readonly [Name in RouteName as Name extends `${Group}.${string}` ? Name : never]: OperationDoc<Routes[Name]>;
};

/** A value without what a sample adds to it. */
export type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Part<T[Key]> }
    : T;

type GivenExample<R extends Route> = Partial<{ [Key in keyof Example<R>]: Part<Example<R>[Key]> }>;

/** A valid request and its response. Unit tests parse both with the schemas of the route. */
export type Example<R extends Route> = {
  params: Sent<R['params']>;
  query: Sent<R['query']>;
  body: Sent<R['body']>;
  response: z.output<R['response']>;
};

type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;
