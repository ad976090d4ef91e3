import { ResponseTooLong } from '../egress/egress.ts';
import { parseBoundedJson } from './bounded-json.ts';
import type { Hold } from './language-model.ts';

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The end marker of OpenAI's protocol, whether or not the connection stays open. */
const endMarker = '[DONE]';
const field = 'data:';

/** The longest event with all its lines (characters): an answer of 1 MiB in one event, with its escapes. */
export const maxEventLength = 4 * 1024 * 1024;
/** The most events of an answer, at one word each: more than any limit of tokens. */
export const maxEvents = 250_000;

/**
 * Yields the data of each event of a `text/event-stream`, parsed as JSON. Names, ids, comments and events without data are skipped, since the
 * data has its own type. Throws a SyntaxError for malformed JSON, `ResponseTooLong` past the limits, and the errors of the connection. A
 * consumer that stops early, or the end marker, closes the connection.
 */
export async function* readEvents(body: Pieces): AsyncGenerator<unknown> {
  const events: unknown[] = [];
  const parser = new EventParser({ onEvent: (event) => void events.push(event) });
  for await (const piece of body) {
    try {
      parser.push(piece);
    } finally {
      // Also those before a malformed one.
      yield* events.splice(0);
    }
    if (parser.isMarked) return;
  }
  parser.end();
  yield* events;
}

type EventParserOptions = {
  /** Called with each event. Returns its text where it is a piece of text and nothing else. */
  onEvent: (event: unknown) => unknown;
  /** Called in place of `onEvent` with the text of an event that differs from the one before in this text alone. */
  onText?: (text: string) => void;
  /** Whether what follows is not wanted: it is not parsed. */
  isEnded?: () => boolean;
  hold?: Hold | undefined;
};

/**
 * Parses a `text/event-stream` that comes in pieces, without a promise for each event. Throws what `readEvents` throws, and what `hold` throws.
 *
 * Most events of an answer repeat all but one word of the event before. Such an event is compared with it, and not parsed:
 * @example {"choices":[{"index":0,"delta":{"content":" word"}}]} // all but the word is equal
 */
export class EventParser {
  /** The end marker has come: nothing is read behind it. */
  isMarked = false;
  readonly #options: EventParserOptions;
  readonly #decoder = new TextDecoder();
  readonly #holdRest: (length: number) => void;
  readonly #holdData: (length: number) => void;
  /** The line that has begun. */
  #rest = '';
  /** A carriage return ends what has come. It ends a line too, and may be half of a line's end. */
  #isReturned = false;
  /** The data of the event that has begun, and how long its lines are (characters). */
  #data: string | null = null;
  #length = 0;
  #count = 0;
  /** What stands around the text of the last event that was a piece of text. */
  #around: { before: string; after: string } | null = null;

  constructor(options: EventParserOptions) {
    this.#options = options;
    this.#holdRest = holdLongest(options.hold);
    this.#holdData = holdLongest(options.hold);
  }

  push(piece: Uint8Array): void {
    const more = this.#decoder.decode(piece, streamed);
    // Not scanned again until it ends: a long line in small chunks would cost quadratic time.
    if (!this.#isReturned && !/[\r\n]/.test(more)) this.#rest += more;
    else this.#addLines(this.#rest + more);
    if (this.#isOver()) return;
    if (this.#rest.length > maxEventLength) throw new ResponseTooLong();
    this.#holdRest(this.#rest.length);
    // No line feed may ever follow the end marker.
    if (!isEndLine(this.#rest)) return;
    const line = this.#rest.trimEnd();
    this.#addLine(line, 0, line.length);
    if (!this.isMarked) this.#endEvent();
  }

  #isOver(): boolean {
    return this.isMarked || this.#options.isEnded?.() === true;
  }

  /** Takes what has come without a line feed, after the last piece. */
  end(): void {
    if (this.#isOver()) return;
    const line = (this.#rest + this.#decoder.decode()).replace(/\r$/, '');
    this.#addLine(line, 0, line.length);
    if (!this.isMarked) this.#endEvent();
  }

  #addLines(text: string): void {
    this.#isReturned = text.endsWith('\r');
    const known = text.includes('\r') ? text.slice(0, this.#isReturned ? -1 : undefined).replace(/\r\n?/g, '\n') : text;
    let from = 0;
    for (let to = known.indexOf('\n'); to >= 0; to = known.indexOf('\n', from)) {
      this.#addLine(known, from, to);
      if (this.#isOver()) return;
      from = to + 1;
    }
    this.#rest = known.slice(from) + (this.#isReturned ? '\r' : '');
  }

  /** Takes a line of a text. Lines are not cut out of it: most of an answer is lines. */
  #addLine(text: string, from: number, to: number): void {
    if (from === to) {
      this.#endEvent();
      return;
    }
    if (!text.startsWith(field, from)) return;
    this.#length += to - from;
    if (this.#length > maxEventLength) throw new ResponseTooLong();
    this.#holdData(this.#length);
    let start = from + field.length;
    while (start < to && text.charCodeAt(start) === space) start += 1;
    const data = text.slice(start, to).trimStart();
    // At once, since an empty line may never follow it.
    if (this.#data === null && data.startsWith(endMarker) && data.trimEnd() === endMarker) this.isMarked = true;
    this.#data = this.#data === null ? data : `${this.#data}\n${data}`;
  }

  #endEvent(): void {
    const data = this.#data;
    if (data === null) return;
    this.#data = null;
    this.#length = 0;
    this.#count += 1;
    if (this.#count > maxEvents) throw new ResponseTooLong();
    if (data === '') return;
    const text = this.#textOfSimilar(data);
    if (text === null) this.#parse(data);
    else this.#options.onText?.(text);
  }

  #parse(data: string): void {
    const text = this.#options.onEvent(parseBoundedJson(data));
    this.#around = this.#options.onText && typeof text === 'string' ? surroundings(data, text) : null;
  }

  /** Returns the text of an event that is like the one before around it; null for any other event. */
  #textOfSimilar(data: string): string | null {
    if (this.#around === null) return null;
    const { before, after } = this.#around;
    if (data.length < before.length + after.length || !data.startsWith(before) || !data.endsWith(after)) return null;
    const text = data.slice(before.length, data.length - after.length);
    if (needsParser.test(text)) return null;
    return text.length < minSliceLength ? text : (JSON.parse(`"${text}"`) as string);
  }
}

const streamed = { stream: true };
const space = 32;

/**
 * Node makes a longer slice (characters) a view of its whole text. The text of an answer would keep each piece that a word came in, whatever else
 * is in the piece. The parser copies.
 */
const minSliceLength = 13;

/** Quotes, escapes, and characters that no text of JSON has. */
const needsParser = /["\\\p{Cc}]/u;

/** Returns what stands around the only place of a text in JSON. Null where the text stands more than once, or anything is escaped. */
function surroundings(data: string, text: string): { before: string; after: string } | null {
  if (data.includes('\\')) return null;
  const quoted = JSON.stringify(text);
  const at = data.indexOf(quoted);
  if (at < 0 || data.indexOf(quoted, at + 1) >= 0) return null;
  return { before: data.slice(0, at + 1), after: data.slice(at + quoted.length - 1) };
}

function isEndLine(line: string): boolean {
  return line.length <= 32 && line.startsWith(field) && line.slice(field.length).trim() === endMarker;
}

/** Counts a text that is built and dropped again and again, at its longest. */
function holdLongest(hold: Hold = () => {}): (length: number) => void {
  let longest = 0;
  return (length) => {
    if (length <= longest) return;
    hold(length - longest);
    longest = length;
  };
}
