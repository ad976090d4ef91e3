import { expect, test } from 'vitest';
import { readEvents } from '../../../server/platform/llm/read-events.ts';

test('W8.04 events are read whatever pieces they come in, and names, ids and comments are let pass', async () => {
  const stream = Buffer.from('event: word\ndata: {"text":"Да"}\n\n: still here\n\nid: 7\r\ndata: [1,\r\ndata: 2]\r\n\r\ndata: [DONE]\n\n');
  for (const size of [1, 2, 3, 7, stream.length]) expect(await all(piecesOf(stream, size))).toEqual([{ text: 'Да' }, [1, 2]]);
});

test('W8.04 a line as long as an answer can be, in small pieces, holds nobody up', { timeout: 5_000 }, async () => {
  const long = 16 * 1024 * 1024;
  const stream = Buffer.from(`data: "${'x'.repeat(long)}"\n\n`);
  const [text] = await all(piecesOf(stream, 4_096));
  expect(text).toHaveLength(long);
});

async function all(pieces: Iterable<Uint8Array>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readEvents(pieces)) events.push(event);
  return events;
}

function* piecesOf(stream: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < stream.length; at += size) yield stream.subarray(at, at + size);
}
