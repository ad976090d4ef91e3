import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters after which a part ends, and other requests have their turn. */
const partLength = 128 * 1024;
/** Containers down to this depth are written entry by entry; what lies deeper is one entry's own and is written at once. */
const splitDepth = 3;

/** The same text as `JSON.stringify` gives for a value that came from JSON, written in parts so that a large value blocks no other request. */
export async function jsonText(value: unknown): Promise<string> {
  const parts: string[] = [];
  for await (const part of jsonParts(value)) parts.push(part);
  return parts.join('');
}

/** The parts of `jsonText`, in order. */
export async function* jsonParts(value: unknown): AsyncGenerator<string> {
  let pending = '';
  for (const piece of pieces(value, 0)) {
    pending += piece;
    if (pending.length < partLength) continue;
    yield pending;
    pending = '';
    await nextTurn();
  }
  if (pending !== '') yield pending;
}

function* pieces(value: unknown, depth: number): Generator<string> {
  if (depth === splitDepth || typeof value !== 'object' || value === null) {
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
