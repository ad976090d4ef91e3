import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BodyLimits, maxBodyDepth } from '../../../contract/body-limits.ts';

/** A part of the bytes, from one position up to another. */
export type Span = { from: number; to: number };

/** A long list or record below the body's object. Its entries, cut between commas into parts that are each parsed alone. */
export type LongCollection = Span & { isList: boolean; parts: Span[] };

export type Scan = { problem: 'too_deep' | 'too_complex' | 'malformed' } | { problem?: undefined; long: LongCollection[] };

/** Bytes and values after which a collection is cut. One part holds the event loop for a few milliseconds. */
const partBytes = 128 * 1024;
const partValues = 5_000;
/** Bytes that are scanned before other requests are served. */
const turnBytes = 256 * 1024;
/** The longest number in JSON (characters). */
const maxLiteralLength = 1_024;
/** The longest input of one `JSON.parse` (bytes). */
const maxParseLength = 1024 * 1024;

const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openList, closeList, openRecord, closeRecord] = [91, 93, 123, 125];

/**
 * Reads the structure of a JSON text without parsing it. Refuses a text that nests too deeply or holds more values than its route needs.
 * Finds where long collections can be cut, so that no single step of parsing takes long. It checks brackets; `JSON.parse` checks the rest.
 */
export async function scanJson(bytes: Uint8Array, limits: BodyLimits): Promise<Scan> {
  const openers: number[] = [];
  const long: LongCollection[] = [];
  let collection: LongCollection | null = null;
  let [values, valuesAtCut, entries, literal, cut] = [1, 0, 0, 0, 0];
  let [last, quoted] = [0, false];
  let [removed, pauseAt] = [0, turnBytes];
  const addPart = (to: number): boolean => {
    collection?.parts.push({ from: cut, to });
    const fits = to - cut <= maxParseLength;
    [cut, valuesAtCut] = [to + 1, values];
    return fits;
  };

  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pauseAt) {
      await nextTurn();
      pauseAt = at + turnBytes;
    }
    const code = bytes[at] as number;
    if (quoted) {
      if (code === backslash) at += 1;
      else if (code === quote) quoted = false;
      continue;
    }
    switch (code) {
      case quote:
        quoted = true;
        literal = 0;
        last = code;
        break;
      case openList:
      case openRecord:
        openers.push(code);
        values += 1;
        literal = 0;
        if (openers.length > maxBodyDepth) return { problem: 'too_deep' };
        if (openers.length === 2 && openers[0] === openRecord) {
          if (last !== colon) return { problem: 'malformed' };
          collection = { from: at, to: at, isList: code === openList, parts: [] };
          [cut, valuesAtCut, entries] = [at + 1, values, 1];
        }
        last = code;
        break;
      case closeList:
      case closeRecord:
        if (openers.pop() !== (code === closeList ? openList : openRecord)) return { problem: 'malformed' };
        literal = 0;
        if (openers.length === 1 && collection !== null) {
          if (collection.parts.length > 0) {
            if (last === comma) return { problem: 'malformed' };
            if (!addPart(at)) return { problem: 'too_complex' };
            collection.to = at + 1;
            removed += collection.to - collection.from;
            long.push(collection);
          }
          collection = null;
        }
        last = code;
        break;
      case comma:
        if (last === comma || last === colon || last === openList || last === openRecord) return { problem: 'malformed' };
        values += 1;
        literal = 0;
        if (openers.length === 2 && collection !== null) {
          entries += 1;
          if (entries > limits.entries) return { problem: 'too_complex' };
          if ((at - cut > partBytes || values - valuesAtCut > partValues) && !addPart(at)) return { problem: 'too_complex' };
        }
        last = code;
        break;
      case colon:
        literal = 0;
        last = code;
        break;
      case 32:
      case 9:
      case 10:
      case 13:
        break;
      default:
        literal += 1;
        last = code;
        if (literal > maxLiteralLength) return { problem: 'malformed' };
    }
    if (values > limits.values) return { problem: 'too_complex' };
  }
  if (quoted || openers.length > 0) return { problem: 'malformed' };
  return bytes.length - removed > maxParseLength ? { problem: 'too_complex' } : { long };
}
