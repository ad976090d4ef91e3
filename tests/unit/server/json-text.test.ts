import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../../server/http/json-text.ts';

test('R19.01 a value written in parts has the text that JSON.stringify gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      expect(await jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  const large = ['PUT', '/x', { nodes: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`n${n}`, { n, none: undefined }])) }];
  expect(await jsonText(large)).toBe(JSON.stringify(large));
});
