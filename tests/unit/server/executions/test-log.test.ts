import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestLog } from '../../../../server/modules/executions/test-runs/test-log.ts';

const kept = 1024 * 1024;
const logOf = (pieces: readonly string[]) => {
  const log = createTestLog((characters) => `[${characters}]`);
  for (const piece of pieces) log.add(piece);
  return log.text();
};

test('G3.36 a log of at most 1 Mi characters is kept whole, however it comes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (pieces) => {
      expect(logOf(pieces)).toBe(pieces.join('').replaceAll('\0', '').toWellFormed());
    }),
  );
  const whole = 'x'.repeat(kept);
  expect(logOf([whole])).toBe(whole);
});

test('G3.36 a long log keeps its beginning, its end and the number of the characters between the two', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1_000, max: 400_000 }), (more, size) => {
      const whole = `first ${'a'.repeat(kept + more - 11)} last`;
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size));
      const [, head = '', left, tail = ''] = /^(first a+)\n\[(\d+)\]\n(a+ last)$/.exec(logOf(pieces)) ?? [];
      expect(head.length + tail.length).toBe(kept);
      expect(Number(left)).toBe(whole.length - kept);
    }),
    { numRuns: 20 },
  );
});
