import { setImmediate as nextTurn } from 'node:timers/promises';
import { type KeyFilter, keepAllKeys } from '../key-filter.ts';

/** Characters in a part; other requests are served between parts. */
const partLength = 128 * 1024;
/** From this depth on, a container with few entries is one record and is written as a whole. */
const recordDepth = 2;
const maxRecordEntries = 32;

/**
 * Returns the text of `JSON.stringify` for the keys that `known` names. Written in parts, so that a large value blocks no other request.
 */
export async function jsonText(value: unknown, known: KeyFilter = keepAllKeys): Promise<string> {
  const parts: string[] = [];
  for await (const part of jsonParts(value, known)) parts.push(part);
  return parts.join('');
}

/** The parts of `jsonText`, in order. */
export async function* jsonParts(value: unknown, known: KeyFilter = keepAllKeys): AsyncGenerator<string> {
  let part = '';
  let isFirst = true;
  for (const piece of pieces(value, 0, known)) {
    part += piece;
    if (part.length < partLength) continue;
    if (!isFirst) await nextTurn();
    isFirst = false;
    yield part;
    part = '';
  }
  if (part === '') return;
  if (!isFirst) await nextTurn();
  yield part;
}

function* pieces(value: unknown, depth: number, known: KeyFilter): Generator<string> {
  if (isWritable(value, depth) || known.entriesOf === null) yield textOf(value, known) ?? 'null';
  else if (typeof value === 'string') yield* longText(value);
  else yield* entries(value as object, depth, known.entriesOf(value as object));
}

/** Writes a container entry by entry. Small entries are joined first: one step of the generator for each would cost more than the writing. */
function* entries(value: object, depth: number, ofKey: (key: string) => KeyFilter | undefined): Generator<string> {
  const isArray = Array.isArray(value);
  let text = isArray ? '[' : '{';
  let separator = '';
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const entry = (value as Record<string | number, unknown>)[key];
    const known = ofKey(String(key));
    if (known === undefined) continue;
    const name = isArray ? separator : `${separator}${JSON.stringify(key)}:`;
    if (isWritable(entry, depth + 1)) {
      const written = textOf(entry, known) ?? (isArray ? 'null' : undefined);
      if (written === undefined) continue;
      text += name + written;
    } else {
      yield text + name;
      text = '';
      yield* pieces(entry, depth + 1, known);
    }
    separator = ',';
    if (text.length < partLength) continue;
    yield text;
    text = '';
  }
  yield text + (isArray ? ']' : '}');
}

function textOf(value: unknown, { keep }: KeyFilter): string | undefined {
  return JSON.stringify(keep === null ? value : keep(value));
}

/** Whether a value is written as a whole. */
function isWritable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= partLength;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true;
  if (depth < recordDepth) return false;
  return (Array.isArray(value) ? value.length : Object.keys(value).length) <= maxRecordEntries;
}

function* longText(value: string): Generator<string> {
  yield '"';
  for (let at = 0; at < value.length; ) {
    const end = at + partLength;
    // A surrogate pair is not split.
    const next = isLowSurrogate(value.charCodeAt(end)) ? end + 1 : end;
    yield JSON.stringify(value.slice(at, next)).slice(1, -1);
    at = next;
  }
  yield '"';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
