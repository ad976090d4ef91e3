/** By which OpenAI's protocol ends a stream; it carries nothing. */
const lastWord = '[DONE]';

/**
 * The data of each event of a `text/event-stream`, parsed as JSON. Names, ids and comments are skipped: the data says what
 * it is. Throws a SyntaxError for data that is no JSON, and what the connection throws. Stopping early closes it.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const piece of body) {
    const more = decoder.decode(piece, { stream: true });
    if (!more.includes('\n')) {
      // Not looked at again until it ends: a long line in small pieces would cost its square.
      rest += more;
      continue;
    }
    const lines = (rest + more).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') collect(line, data);
      else if (data.length > 0) {
        if (data[0] !== lastWord) yield JSON.parse(data.join('\n'));
        data = [];
      }
    }
  }
  collect(rest, data);
  if (data.length > 0 && data[0] !== lastWord) yield JSON.parse(data.join('\n'));
}

function collect(line: string, data: string[]): void {
  if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart());
}
