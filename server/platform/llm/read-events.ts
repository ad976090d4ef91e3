import { AnswerTooLong } from '../egress/egress.ts';
import { parseBoundedJson } from './bounded-json.ts';

/** By which OpenAI's protocol ends a stream, whether or not the connection stays open; it carries nothing. */
const endMarker = '[DONE]';

/** One event with all its lines (characters): a whole answer of 1 MiB in one event, with its escapes. */
export const maxEventLength = 4 * 1024 * 1024;
/** A word each: more than any limit of tokens. */
export const maxEvents = 250_000;

/**
 * The data of each event of a `text/event-stream`, parsed as JSON. Names, ids and comments are skipped: the data says what
 * it is. Throws a SyntaxError for data that is no JSON, `AnswerTooLong` past its limits, and what the connection throws. Stopping
 * early, or the protocol's own end, closes the connection.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<unknown> {
  let count = 0;
  for await (const data of dataOf(body)) {
    if (data === endMarker) return;
    count += 1;
    if (count > maxEvents) throw new AnswerTooLong();
    yield parseBoundedJson(data);
  }
}

/** The data of each event; the end marker at once, since an empty line may never follow it. */
async function* dataOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  let length = 0;
  const collect = (line: string) => {
    if (!line.startsWith(field)) return;
    length += line.length;
    if (length > maxEventLength) throw new AnswerTooLong();
    data.push(line.slice(field.length).trimStart());
  };
  for await (const lines of linesOf(body)) {
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

/** The lines that each piece completes, together: millions of empty ones cost no turn each. */
async function* linesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const more = decoder.decode(piece, { stream: true });
    // Not looked at again until it ends: a long line in small pieces would cost its square.
    if (!more.includes('\n')) rest += more;
    else {
      const lines = (rest + more).split('\n');
      rest = lines.pop() ?? '';
      yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    }
    if (rest.length > maxEventLength) throw new AnswerTooLong();
  }
  yield [rest + decoder.decode()];
}
