import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import type { Language } from './call.ts';
import { fieldText } from './field-text.ts';

/** The number of wrong fields that an answer lists. */
const maxErrors = 50;
/** Entries of a large collection that are checked before other requests are served. */
const sliceSize = 250;

/**
 * Parses a value by its schema. Rejects with `bad_request` and the wrong fields, in the caller's language. Large collections are
 * parsed in slices, and other requests are served in between. The first slice with an error ends it: checking thousands of cards or
 * reporting hundreds of thousands of errors would block the server.
 */
export async function validate(schema: z.ZodType | undefined, value: unknown, language: Language): Promise<unknown> {
  if (!schema) return undefined;
  const large = schema instanceof z.ZodObject && isObject(value) ? largeFields(schema, value) : [];
  if (large.length === 0) return read(schema, value, [], language);
  const collected: [string, unknown][] = [];
  for (const [name, field] of large) collected.push([name, await readSliced(field, (value as Json)[name] as Json, name, language)]);
  const names = Object.fromEntries(large.map(([name]) => [name, true as const]));
  const rest = read((schema as z.ZodObject).omit(names as never), value, [], language);
  return { ...(rest as Json), ...Object.fromEntries(collected) };
}

type Json = Record<string, unknown>;
type Collection = z.ZodArray | z.ZodRecord;

/** Returns the object's fields that are long lists or records without a check on the whole collection. */
function largeFields(schema: z.ZodObject, value: Json): [string, Collection][] {
  return Object.entries(schema.shape).flatMap(([name, field]): [string, Collection][] => {
    const fits = field instanceof z.ZodArray ? Array.isArray(value[name]) : field instanceof z.ZodRecord && isObject(value[name]);
    if (!fits || (field.def.checks?.length ?? 0) > 0) return [];
    return isLong(value[name] as Json) ? [[name, field as Collection]] : [];
  });
}

/** Counts no further than the first entry beyond a slice. */
function isLong(collection: unknown[] | Json): boolean {
  if (Array.isArray(collection)) return collection.length > sliceSize;
  let count = 0;
  for (const _ in collection) if (++count > sliceSize) return true;
  return false;
}

async function readSliced(schema: Collection, collection: unknown[] | Json, name: string, language: Language): Promise<unknown> {
  if (Array.isArray(collection)) {
    const all: unknown[] = [];
    for (let from = 0; from < collection.length; from += sliceSize) {
      await nextTurn();
      for (const item of read(schema, collection.slice(from, from + sliceSize), [name], language, from) as unknown[]) all.push(item);
    }
    return all;
  }
  const all: Json = {};
  let slice: [string, unknown][] = [];
  const readSlice = () => Object.assign(all, read(schema, Object.fromEntries(slice), [name], language));
  for (const key in collection) {
    slice.push([key, collection[key]]);
    if (slice.length < sliceSize) continue;
    await nextTurn();
    readSlice();
    slice = [];
  }
  return readSlice();
}

/** `path` and `first` locate the value in the request. */
function read(schema: z.ZodType, value: unknown, path: string[], language: Language, first = 0): unknown {
  const parsed = schema.safeParse(value, { error: fieldText(language) });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, maxErrors).map((issue) => {
    const [index, ...inside] = issue.path;
    const place = typeof index === 'number' ? [index + first, ...inside] : issue.path;
    return { path: [...path, ...place].join('.'), message: issue.message };
  });
  throw new ApiError('bad_request', { errors });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
