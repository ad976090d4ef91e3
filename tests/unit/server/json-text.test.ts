import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../../server/http/bodies/json-text.ts';

test('R19.01 a value written in parts has the text that JSON.stringify gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      expect(await jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  const large = ['PUT', '/x', { nodes: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`n${n}`, { n, none: undefined }])) }];
  expect(await jsonText(large)).toBe(JSON.stringify(large));
});

test('R19.01 a long text has the same text too, wherever it is parted', async () => {
  for (const piece of ['\u0001', 'é"', '😀', 'a😀', '\ud83d', '\ude00x', '\n']) {
    const text = piece.repeat(400_000 / piece.length);
    const value = { diff: text, list: [text, 1] };
    expect((await jsonText(value)) === JSON.stringify(value)).toBe(true);
  }
});

test('R19.01 dates, and what is undefined, have the text that JSON.stringify gives', async () => {
  const short = { id: 1, at: new Date(0), none: undefined, list: [undefined, { at: new Date(0) }] };
  expect(await jsonText(short)).toBe(JSON.stringify(short));
  const long = Array.from({ length: 50_000 }, (_, id) => ({ ...short, id }));
  expect((await jsonText(long)) === JSON.stringify(long)).toBe(true);
});
