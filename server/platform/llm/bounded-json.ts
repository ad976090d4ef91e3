import { ResponseTooLong } from '../egress/egress.ts';

/** The maximum of values in an answer: a value takes up to a hundred bytes of memory for three bytes of text. */
const maxValues = 100_000;
/** The deepest nesting of a model server's answer. */
const maxDepth = 100;
/** A shorter text cannot cost much memory (characters). */
const harmlessLength = 16 * 1024;

type JsonLimits = { values: number; depth: number };

/** Parses JSON from an untrusted server. Throws `AnswerTooLong` for too many values, and a SyntaxError as `JSON.parse` does. */
export function parseBoundedJson(text: string): unknown {
  if (text.length > harmlessLength) refuseExcess(text, { values: maxValues, depth: maxDepth });
  return JSON.parse(text);
}

/** Parses a short text with few values. Returns undefined for malformed text or too many values: 64 KiB of brackets would take 30 ms. */
export function parseSmallJson(text: string, limits: JsonLimits): unknown {
  try {
    refuseExcess(text, limits);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const codes = { quote: 34, comma: 44, backslash: 92, array: 91, arrayEnd: 93, object: 123, objectEnd: 125 };

function refuseExcess(text: string, limits: JsonLimits): void {
  let values = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === codes.backslash) at += 1;
      else if (code === codes.quote) inString = false;
    } else if (code === codes.quote) inString = true;
    else if (code === codes.comma) values += 1;
    else if (code === codes.array || code === codes.object) {
      values += 1;
      depth += 1;
    } else if (code === codes.arrayEnd || code === codes.objectEnd) depth -= 1;
    if (values > limits.values || depth > limits.depth) throw new ResponseTooLong();
  }
}
