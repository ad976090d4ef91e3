/**
 * The data of each event of a `text/event-stream`, parsed as JSON. Names, ids and comments are skipped: the data says what
 * it is. Throws a SyntaxError for data that is no JSON, and what the connection throws. Stopping early closes it.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
    if (line !== '' || data.length === 0) continue;
    yield JSON.parse(data.join('\n'));
    data = [];
  }
  if (data.length > 0) yield JSON.parse(data.join('\n'));
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
