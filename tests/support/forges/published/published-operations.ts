import { readFileSync } from 'node:fs';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import type { KnownForge } from '../../../../server/platform/git/forge-calls.ts';

/** What of a schema of OpenAPI 3.0 the excerpts have. */
export type Schema = {
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
export type Operation = {
  method: string;
  path: string;
  query: Record<string, Schema>;
  body: Schema | null;
  /** By their status; null for an answer without JSON. */
  responses: Record<string, Schema | null>;
};
/** The operations that the product calls, from the document that the forge publishes: where from, under which licence, and when it was read. */
export type Published = { source: string; licence: string; readAt: string; root: string; operations: Operation[] };

export function publishedOf(kind: KnownForge): Published {
  return JSON.parse(readFileSync(new URL(`${kind}.json`, import.meta.url), 'utf8')) as Published;
}

export type MadeCall = { method: string; path: string; query: URLSearchParams; body: unknown; status: number; answer: unknown };

/** Keeps the calls of an egress with their answers, as far as these are JSON. `root`: what stands before the paths of the document. */
export function recording(egress: Egress, root: string): { egress: Egress; made: MadeCall[] } {
  const made: MadeCall[] = [];
  const recorded: Egress = async (address, request = {}) => {
    const answer = await egress(address, request);
    const url = new URL(address);
    // The document is that of REST.
    if (!url.pathname.startsWith(`${root}/`)) return answer;
    const call = { method: request.method ?? 'GET', path: url.pathname.slice(root.length), query: url.searchParams };
    const body = typeof request.body === 'string' ? JSON.parse(request.body) : null;
    const isJson = /json/.test(answer.headers['content-type'] ?? '');
    if (!isJson) made.push({ ...call, body, status: answer.status, answer: null });
    const text = async () => {
      const said = await answer.text();
      if (isJson) made.push({ ...call, body, status: answer.status, answer: JSON.parse(said) });
      return said;
    };
    return { ...answer, text };
  };
  return { egress: recorded, made };
}

/** Returns the operation of a call; undefined for one that the document does not have. */
export function operationOf({ operations }: Published, { method, path }: Pick<MadeCall, 'method' | 'path'>): Operation | undefined {
  const parts = path.split('/');
  const fits = (template: string) => {
    const names = template.split('/');
    return names.length === parts.length && names.every((name, at) => name.startsWith('{') || name === parts[at]);
  };
  // A part that is named comes before one that stands for any.
  const found = operations.filter((one) => one.method === method && fits(one.path));
  return found.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

/** Returns what of a call and its answer the document does not allow. A played answer has a part of the fields: those that it has are looked at. */
export function deviationsOf(published: Published, call: MadeCall): string[] {
  const operation = operationOf(published, call);
  const name = `${call.method} ${call.path}`;
  if (!operation) return [`${name}: no such operation`];
  const query = [...call.query].flatMap(([key, value]) => {
    const schema = operation.query[key];
    return schema ? deviations(schema, ofQuery(schema, value), `${name} ?${key}`, 'whole') : [`${name}: no parameter ${key}`];
  });
  const body = operation.body
    ? deviations(operation.body, call.body, `${name} body`, 'whole')
    : call.body === null
      ? []
      : [`${name}: takes no body`];
  const schema = operation.responses[String(call.status)];
  const isKnown = call.status >= 400 || schema !== undefined;
  const answer = call.status < 300 && schema ? deviations(schema, call.answer, `${name} ${call.status}`, 'part') : [];
  return [...query, ...body, ...answer, ...(isKnown ? [] : [`${name}: no answer ${call.status}`])];
}

function ofQuery({ type, items, anyOf, oneOf }: Schema, value: string): unknown {
  const types = [type, ...[...(anyOf ?? []), ...(oneOf ?? [])].map((one) => one.type)];
  if ((types.includes('integer') || types.includes('number')) && /^\d+$/.test(value)) return Number(value);
  if (types.includes('boolean')) return value === 'true';
  return type === 'array' && items ? value.split(',') : value;
}

/** `part`: fields may be missing. */
function deviations(schema: Schema, value: unknown, at: string, how: 'whole' | 'part'): string[] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const all = options.map((one) => deviations(one, value, at, how));
    const isRight = (value === null && schema.nullable) || all.some((found) => found.length === 0);
    return isRight ? [] : (all.toSorted((one, other) => one.length - other.length)[0] ?? []);
  }
  if (schema.allOf) return schema.allOf.flatMap((one) => deviations(one, value, at, how));
  if (value === null) return schema.nullable || schema.type === undefined ? [] : [`${at}: null`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`];
  if (schema.type === 'array') {
    const { items } = schema;
    if (!Array.isArray(value)) return [`${at}: no list`];
    return items ? value.flatMap((one) => deviations(items, one, `${at}[]`, how)) : [];
  }
  if (schema.type === 'object' || schema.properties) return ofObject(schema, value, at, how);
  return isOfType(schema, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${schema.format ?? schema.type}`];
}

function ofObject({ properties, required = [] }: Schema, value: unknown, at: string, how: 'whole' | 'part'): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: no object`];
  if (!properties) return [];
  const missing = how === 'part' ? [] : required.filter((key) => !(key in value)).map((key) => `${at}: ${key} is missing`);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const schema = properties[key];
    return schema ? deviations(schema, one, `${at}.${key}`, how) : [`${at}: no field ${key}`];
  });
  return [...missing, ...entries];
}

function isOfType({ type, format }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type !== 'string') return typeof value === type;
  return typeof value === 'string' && (format !== 'date-time' || !Number.isNaN(Date.parse(value)));
}

/** Makes an answer as a document allows it: `least` with only the fields that are required, and null where that is allowed; `most` with all fields. */
export function exampleOf(schema: Schema, size: 'least' | 'most'): unknown {
  if (size === 'least' && schema.nullable) return null;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, size);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => exampleOf(one, size)));
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items, size)] : [];
  if (schema.type === 'object' || schema.properties) {
    const keys = size === 'least' ? (schema.required ?? []) : Object.keys(schema.properties ?? {});
    return Object.fromEntries(keys.map((key) => [key, exampleOf(schema.properties?.[key] ?? {}, size)]));
  }
  if (schema.type === 'integer' || schema.type === 'number') return 7;
  if (schema.type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-01-15T09:00:00Z';
  return schema.format === 'uri' ? 'https://git.example.com/ann/shop' : 'words';
}
