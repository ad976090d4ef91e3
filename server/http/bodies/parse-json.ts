import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LongCollection, Span } from './scan-json.ts';

/** Parses one text. Throws for malformed JSON, and for keys that would change an object's prototype. */
type ParseText = (text: string) => unknown;

type Json = Record<string, unknown>;

/**
 * Parses a JSON text whose long collections `scanJson` has found, part by part, and serves other requests in between. Half a surrogate
 * pair becomes U+FFFD, because PostgreSQL cannot store it.
 */
export async function parseJson(bytes: Buffer, long: readonly LongCollection[], parse: ParseText): Promise<unknown> {
  const read = (text: string) => {
    const value = parse(text);
    return surrogate.test(text) ? wellFormed(value) : value;
  };
  if (long.length === 0) return read(bytes.toString());
  const collections = new Map<string, LongCollection>();
  const texts: string[] = [];
  let at = 0;
  for (const collection of long) {
    const placeholder = randomUUID();
    collections.set(placeholder, collection);
    texts.push(bytes.toString('utf8', at, collection.from), `"${placeholder}"`);
    at = collection.to;
  }
  const root = read(texts.join('') + bytes.toString('utf8', at)) as Json;
  for (const [name, value] of Object.entries(root)) {
    const collection = typeof value === 'string' ? collections.get(value) : undefined;
    if (collection) root[name] = await readParts(bytes, collection, read);
  }
  return root;
}

async function readParts(bytes: Buffer, { isList, parts }: LongCollection, read: ParseText): Promise<unknown> {
  const [list, record]: [unknown[], Json] = [[], {}];
  for (const part of parts) {
    await nextTurn();
    const text = textOf(bytes, part);
    if (isList) for (const item of read(`[${text}]`) as unknown[]) list.push(item);
    else Object.assign(record, read(`{${text}}`));
  }
  return isList ? list : record;
}

function textOf(bytes: Buffer, { from, to }: Span): string {
  return bytes.toString('utf8', from, to);
}

const surrogate = /\\u[dD][89a-fA-F]/;

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}
