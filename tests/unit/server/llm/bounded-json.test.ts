import { expect, test } from 'vitest';
import { parseSmallJson } from '../../../../server/platform/llm/bounded-json.ts';

const limits = { values: 4, depth: 2 };

test('W7.08 a message with few values and levels is parsed, and brackets in its texts do not count', () => {
  for (const value of [1, 'x', { type: 'texts' }, { since: { a: 1, b: 2 } }, { text: '[[[[,,,,,{{"\\' }]) {
    expect(parseSmallJson(JSON.stringify(value), limits)).toEqual(value);
  }
});

test('W7.08 a message with too many values or levels, or one that is no JSON, is not parsed', () => {
  const lists = '['.repeat(30_000) + ']'.repeat(30_000);
  for (const text of [lists, '{"a":{"b":{}}}', '[1,2,3,4,5,6]', '{', '', '{"a":1}}']) expect(parseSmallJson(text, limits)).toBeUndefined();
});
