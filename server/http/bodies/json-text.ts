import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters in a part; other requests are served between parts. */
const partLength = 128 * 1024;
/** Containers down to this depth are written entry by entry; a deeper container is written as a whole. */
const splitDepth = 3;

/** Returns the text of `JSON.stringify`, written in parts so that a large value blocks no other request. */
export async function jsonText(value: unknown): Promise<string> {
  const parts: string[] = [];
  for await (const part of jsonParts(value)) parts.push(part);
  return parts.join('');
}

/** The parts of `jsonText`, in order. */
export function jsonParts(value: unknown): AsyncGenerator<string> {
  const all = pieces(value, 0);
  return partsFrom(nextPart(all), all);
}

async function* partsFrom(first: string, rest: Iterator<string>): AsyncGenerator<string> {
  for (let part = first; part !== ''; part = nextPart(rest)) {
    yield part;
    if (part.length < partLength) return;
    await nextTurn();
  }
}

/** Only the last part is shorter than `partLength`. */
function nextPart(rest: Iterator<string>): string {
  let part = '';
  while (part.length < partLength) {
    const { done, value } = rest.next();
    if (done) break;
    part += value;
  }
  return part;
}

function* pieces(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string' && value.length > partLength) {
    yield '"';
    for (let at = 0; at < value.length; ) {
      const end = at + partLength;
      // A surrogate pair is not split.
      const next = isLowSurrogate(value.charCodeAt(end)) ? end + 1 : end;
      yield JSON.stringify(value.slice(at, next)).slice(1, -1);
      at = next;
    }
    yield '"';
    return;
  }
  if (depth === splitDepth || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  let separator = '';
  if (Array.isArray(value)) {
    yield '[';
    for (const item of value) {
      if (separator !== '') yield separator;
      yield* pieces(item, depth + 1);
      separator = ',';
    }
    yield ']';
    return;
  }
  yield '{';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* pieces(inner, depth + 1);
    separator = ',';
  }
  yield '}';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
