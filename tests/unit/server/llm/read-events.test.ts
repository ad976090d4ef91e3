import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseTooLong } from '../../../../server/platform/egress/egress.ts';
import { EventParser, maxEventLength, maxEvents, readEvents } from '../../../../server/platform/llm/read-events.ts';

test('W8.04 events are read however the stream is split, and their names, ids and comments are skipped', async () => {
  const stream = Buffer.from('event: word\ndata: {"text":"Да"}\n\n: still here\n\nid: 7\r\ndata: [1,\r\ndata: 2]\r\n\r\ndata: [DONE]\n\n');
  for (const size of [1, 2, 3, 7, stream.length]) expect(await all(piecesOf(stream, size))).toEqual([{ text: 'Да' }, [1, 2]]);
});

test('W8.04 a line of maximum length in small chunks does not block the event loop', { timeout: 5_000 }, async () => {
  const long = maxEventLength - 'data:""'.length - 1;
  const stream = Buffer.from(`data: "${'x'.repeat(long)}"\n\n`);
  const [text] = await all(piecesOf(stream, 4_096));
  expect(text).toHaveLength(long);
});

test('W8.04 nothing is read after the end marker of the protocol, with or without an empty line behind it', async () => {
  for (const end of ['data: [DONE]\n', 'data:[DONE]\r\n\r\n', 'data: [DONE]']) {
    let closed = false;
    const pieces = function* () {
      try {
        yield Buffer.from(`data: 1\n\n${end}${end.endsWith('\n') ? 'data: 2\n\n' : ''}`);
        if (end.endsWith('\n')) yield Buffer.from('data: 3\n\n');
      } finally {
        closed = true;
      }
    };
    expect(await all(pieces())).toEqual([1]);
    expect(closed).toBe(true);
  }
});

test.each([
  ['a line that never ends', () => repeat('x'.repeat(65_536))],
  ['an event that never ends', () => repeat('data: x\n'.repeat(1_000))],
  ['an event of empty lines of data', () => repeat('data:\n'.repeat(1_000))],
  ['too many values', () => [Buffer.from(`data: [${'{},'.repeat(200_000)}{}]\n\n`)]],
  ['too deep a value', () => [Buffer.from(`data: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n\n`)]],
  ['events without end', () => repeat('data: {}\n\n'.repeat(1_000))],
])('W8.04 %s is too long an answer', async (_name, pieces) => {
  await expect(last(pieces())).rejects.toThrow(ResponseTooLong);
});

test('W8.04 the highest number of events of an answer is read, and empty lines and comments do not count', async () => {
  const quiet = Buffer.from('\n: still here\n'.repeat(10_000));
  const events = Buffer.from('data: 1\n\n'.repeat(maxEvents / 10));
  expect(await last([...Array(10).fill(quiet), ...Array(10).fill(events)])).toEqual({ count: maxEvents, value: 1 });
});

test('W8.04 the end marker without a line feed ends the answer though the connection stays open', async () => {
  async function* open() {
    yield Buffer.from('data: 1\n\ndata: [DO');
    yield Buffer.from('NE]');
    throw new Error('read on after the end marker');
  }
  const events: unknown[] = [];
  for await (const event of readEvents(open())) events.push(event);
  expect(events).toEqual([1]);
});

test('W8.04 the events before a malformed one are read', async () => {
  const events: unknown[] = [];
  const read = async () => {
    for await (const event of readEvents([Buffer.from('data: 1\n\ndata: 2\n\ndata: {\n\n')])) events.push(event);
  };
  await expect(read()).rejects.toThrow(SyntaxError);
  expect(events).toEqual([1, 2]);
});

/** An event as servers send it, with one text among fields that repeat, that change, or that have the same text. */
const events = fc.array(
  fc.record({
    text: fc.oneof(fc.string(), fc.constantFrom('', ' word', 'role', '"', '\\', '\u0000', '\u2028', 'Да', '}')),
    role: fc.constantFrom('role', ' word', 'assistant'),
    place: fc.constantFrom(0, 1),
  }),
  { maxLength: 12 },
);

test('W8.04 texts that are taken from events without parsing equal those of parsed events', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 80 }), fc.boolean(), (given, size, isEscaped) => {
      const texts: string[] = [];
      const escaped = (json: string) =>
        isEscaped ? json.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) : json;
      const lines = given.map(
        ({ text, role, place }) => `data: ${escaped(JSON.stringify({ role, place, delta: { text }, end: null }))}\n\n`,
      );
      const onEvent = (event: unknown) => {
        const { place, delta } = event as { place: number; delta: { text: string } };
        texts.push(`${place} ${delta.text}`);
        return place === 0 ? delta.text : null;
      };
      const parser = new EventParser({ onEvent, onText: (text) => void texts.push(`0 ${text}`) });
      for (const piece of piecesOf(Buffer.from(lines.join('')), size)) parser.push(piece);
      parser.end();
      expect(texts).toEqual(given.map(({ text, place }) => `${place} ${text.toWellFormed()}`));
    }),
  );
});

test('W8.04 a text that is taken from a stream keeps nothing else of the stream in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const texts: string[] = [];
  const add = (text: string) => void texts.push(text);
  const parser = new EventParser({ onText: add, onEvent: (event) => (event as { text: string }).text });
  const padding = `: ${'x'.repeat(60_000)}\n`;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 400; at += 1)
    parser.push(Buffer.from(`${padding}data: ${JSON.stringify({ id: 'a', text: `words and words ${at}`, end: null })}\n\n`));
  collect();
  // 400 pieces have 24 MB.
  expect([texts.length, (process.memoryUsage().heapUsed - before) / 2 ** 20]).toEqual([399, expect.closeTo(0, -1)]);
});

test('W8.04 the end marker ends the answer also where its line is cut between its two ends, or has spaces behind it', async () => {
  for (const end of [['data: [DONE]\r', '\n\r\n'], ['data: [DONE] \n\n'], ['data: [DONE] \r\n\r\n']])
    expect(await all([Buffer.from('data: 1\r\n\r\n'), ...end.map((piece) => Buffer.from(piece))])).toEqual([1]);
});

test('W8.04 nothing is parsed after the event that the reader takes as the end', () => {
  const events: unknown[] = [];
  const parser = new EventParser({ onEvent: (event) => void events.push(event), isEnded: () => events.includes('end') });
  parser.push(Buffer.from('data: 1\n\ndata: "end"\n\ndata: OK\n\ndata: {'));
  parser.end();
  expect(events).toEqual([1, 'end']);
});

test('W8.04 an event that repeats all but its text is not parsed again', () => {
  let parsed = 0;
  const texts: string[] = [];
  const onEvent = (event: unknown) => {
    parsed += 1;
    return (event as { text: string }).text;
  };
  const parser = new EventParser({ onEvent, onText: (text) => void texts.push(text) });
  for (const text of ['one', 'two', 'three']) parser.push(Buffer.from(`data: ${JSON.stringify({ id: 'a', text, end: null })}\n\n`));
  expect({ parsed, texts }).toEqual({ parsed: 1, texts: ['two', 'three'] });
});

async function last(pieces: Iterable<Uint8Array>): Promise<{ count: number; value: unknown }> {
  let count = 0;
  let value: unknown;
  for await (value of readEvents(pieces)) count += 1;
  return { count, value };
}

function* repeat(text: string): Generator<Uint8Array> {
  const piece = Buffer.from(text);
  for (;;) yield piece;
}

async function all(pieces: Iterable<Uint8Array>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readEvents(pieces)) events.push(event);
  return events;
}

function* piecesOf(stream: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < stream.length; at += size) yield stream.subarray(at, at + size);
}
