import { ResponseTooLong } from '../egress/egress.ts';
import { parseBoundedJson } from './bounded-json.ts';
import type { Hold } from './language-model.ts';

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The end marker of OpenAI's protocol, whether or not the connection stays open. */
const endMarker = '[DONE]';

/** The longest event with all its lines (characters): an answer of 1 MiB in one event, with its escapes. */
export const maxEventLength = 4 * 1024 * 1024;
/** The most events of an answer, at one word each: more than any limit of tokens. */
export const maxEvents = 250_000;

/**
 * Yields the data of each event of a `text/event-stream`, parsed as JSON. Names, ids, comments and events without data are skipped, since the
 * data has its own type. Throws a SyntaxError for malformed JSON, `ResponseTooLong` past the limits, what `hold` throws, and the errors of the connection. A consumer that
 * stops early, or the end marker, closes the connection. `onMarker` is called at the end marker.
 */
export async function* readEvents(body: Pieces, hold?: Hold, onMarker = () => {}): AsyncGenerator<unknown> {
  let count = 0;
  for await (const data of dataOf(body, hold)) {
    if (data === endMarker) return onMarker();
    count += 1;
    if (count > maxEvents) throw new ResponseTooLong();
    if (data !== '') yield parseBoundedJson(data);
  }
}

/** Yields the data of each event; the end marker at once, since an empty line may never follow it. */
async function* dataOf(body: Pieces, hold?: Hold): AsyncGenerator<string> {
  const holdData = holdLongest(hold);
  let data: string[] = [];
  let length = 0;
  const collect = (line: string) => {
    if (!line.startsWith(field)) return;
    length += line.length;
    if (length > maxEventLength) throw new ResponseTooLong();
    holdData(length);
    data.push(line.slice(field.length).trimStart());
  };
  for await (const lines of linesOf(body, hold)) {
    for (const line of lines) {
      collect(line);
      if (data.length === 1 && data[0] === endMarker) return yield endMarker;
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
      length = 0;
    }
  }
  if (data.length > 0) yield data.join('\n');
}

const field = 'data:';

function isEndLine(line: string): boolean {
  return line.length <= 32 && line.startsWith(field) && line.slice(field.length).trim() === endMarker;
}

/** Yields the lines that each chunk completes, together: millions of empty lines cost no separate turns. */
async function* linesOf(body: Pieces, hold?: Hold): AsyncGenerator<string[]> {
  const holdRest = holdLongest(hold);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const more = decoder.decode(piece, { stream: true });
    // Not scanned again until it ends: a long line in small chunks would cost quadratic time.
    if (!/[\r\n]/.test(more) && !rest.endsWith('\r')) rest += more;
    else {
      // A carriage return alone ends a line too; one at the end of a piece may be half of a line's end.
      const text = rest + more;
      const open = text.endsWith('\r') ? '\r' : '';
      const known = text.slice(0, text.length - open.length).replace(/\r\n?/g, '\n');
      // Millions of empty lines end one event together.
      const lines = known.replace(/\n{3,}/g, '\n\n').split('\n');
      rest = (lines.pop() ?? '') + open;
      yield lines;
    }
    if (rest.length > maxEventLength) throw new ResponseTooLong();
    holdRest(rest.length);
    // No line feed may ever follow the end marker.
    if (isEndLine(rest)) return yield [rest];
  }
  yield [(rest + decoder.decode()).replace(/\r$/, '')];
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
