import { z } from 'zod';
import type { Route } from '../route.ts';
import { type RouteName, routes } from '../routes.ts';
import { recordOf, type SampleSource, sampleOf, type Values } from './sample-of.ts';
import { fields, ids, records } from './samples.ts';

/** An example without the types of its route, for code that handles all routes alike. */
export type OperationExample = { params?: Values; query?: Values; body?: unknown; response?: unknown };

/**
 * Returns the example of an operation: what is given, and samples for all else. A request is about the record that is answered, and a list is asked
 * for by pages of 20. What a request changes is changed in its answer.
 */
export function exampleOf(name: RouteName, given: OperationExample = {}): OperationExample {
  const route: Route = routes[name];
  const { params, query, body, response } = route;
  const [group = ''] = name.split('.');
  const answered: SampleSource = { isSent: false, fields: { ...fields, id: idOf(group) }, records };
  const subject = { ...subjectOf(response, answered), id: idInPath(group, route) };
  const sent = { ...answered, isSent: true };
  const example: OperationExample = {};
  if (params) example.params = sampleOf(params, given.params, sent, fitting(params, subject)) as Values;
  if (query) example.query = sampleOf(query, given.query, sent, fitting(query, { ...subject, limit: 20 })) as Values;
  if (body) example.body = sampleOf(body, given.body, sent, fitting(body, subject));
  const answer = sampleOf(response, given.response, answered, knownOf(route, example.body, answered));
  if (answer !== undefined && !(answer instanceof Uint8Array)) example.response = answer;
  return example;
}

/** The record that a route answers, or lists. */
function subjectOf(response: z.ZodType, source: SampleSource): Values | undefined {
  if (response instanceof z.ZodArray) return subjectOf(response.element as z.ZodType, source);
  return response instanceof z.ZodObject ? recordOf(response, source) : undefined;
}

/** The values that fit the fields of a schema. */
function fitting(schema: z.ZodType, values: Values): Values | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => schema.shape[name]?.safeParse(value).success));
}

/** The answered record with what the body has changed of it. */
function knownOf({ method, body, response }: Route, sent: unknown, source: SampleSource): Values | undefined {
  if (!body || !(response instanceof z.ZodObject) || (method !== 'PUT' && method !== 'PATCH')) return undefined;
  return { ...subjectOf(response, source), ...fitting(response, (body.safeParse(sent).data ?? {}) as Values) };
}

/** Where the word before `{id}` in a path is no name of an id. */
const idsByPlace: Readonly<Record<string, string>> = {
  PipelineExecution: ids.execution,
  runs: ids.execution,
  relationships: ids.relationship,
};

/** The id of what stands before `{id}` in the path, or else of the group's own record. */
function idInPath(group: string, { path }: Route): string | undefined {
  const parts = path.split('/');
  const place = parts[parts.indexOf('{id}') - 1] ?? '';
  return idOf(place) ?? idsByPlace[place] ?? idOf(group);
}

function idOf(name: string): string | undefined {
  return (ids as Readonly<Record<string, string>>)[name];
}
