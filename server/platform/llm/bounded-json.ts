import { AnswerTooLong } from '../egress/egress.ts';

/** Objects, arrays, and values beside others: a value costs up to a hundred bytes of memory where its text has three. */
export const maxValues = 100_000;
/** Nothing that a model server says is nested deeper. */
const maxDepth = 100;
/** A text of this length cannot hold enough to cost anything (characters). */
const harmlessLength = 16 * 1024;

type JsonLimits = { values: number; depth: number };

/** Parses JSON from a server that is not trusted. Throws `AnswerTooLong` where it has too many values, and a SyntaxError as `JSON.parse`. */
export function parseBoundedJson(text: string): unknown {
  if (text.length > harmlessLength) refuseExcess(text, { values: maxValues, depth: maxDepth });
  return JSON.parse(text);
}

/** Parses a short text that should hold little. 64 KiB of brackets alone would take 30 ms. Undefined where it is no JSON or holds more. */
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
    if (values > limits.values || depth > limits.depth) throw new AnswerTooLong();
  }
}
