import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { jsonText } from '../../../../server/http/bodies/json-text.ts';
import { compileKeyFilter } from '../../../../server/http/key-filter.ts';
import { secret } from '../../../support/hostile/planted-keys.ts';

test('R19.01 a value written in parts has the text that JSON.stringify gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      expect(await jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  const large = ['PUT', '/x', { nodes: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`n${n}`, { n, none: undefined }])) }];
  expect(await jsonText(large)).toBe(JSON.stringify(large));
});

test('R19.01 a long text is written as JSON.stringify writes it, wherever it is split', async () => {
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

test('R15.01 a large value is written without the keys that its schema does not name, wherever it is split', async () => {
  const item = z.object({ id: z.number(), place: z.object({ x: z.number() }).optional(), list: z.array(z.object({ y: z.number() })) });
  const known = compileKeyFilter(z.object({ items: z.record(z.string(), item), all: z.array(item), other: z.null() }));
  const whole = (id: number) => ({
    id,
    ...(id % 2 === 0 && { place: { x: id } }),
    list: Array.from({ length: id % 50 }, (_, y) => ({ y })),
  });
  const leaking = (id: number) => ({
    ...{ ...whole(id), ...secret },
    ...(id % 2 === 0 && { place: { x: id, ...secret } }),
    list: Array.from({ length: id % 50 }, (_, y) => ({ y, ...secret })),
  });
  const answerOf = (one: (id: number) => object) => {
    const all = Array.from({ length: 3_000 }, (_, id) => one(id));
    return { items: Object.fromEntries(all.map((each, id) => [`n${id}`, each])), all, other: null };
  };
  const text = await jsonText({ ...answerOf(leaking), ...secret, huge: { text: 'x'.repeat(400_000) } }, known);
  expect(text === JSON.stringify(answerOf(whole))).toBe(true);
});
