import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareStrings } from '../../../src/workers/bridge/share-strings.ts';

test('W2.05 a message reads the same after its equal strings are merged into one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = structuredClone(value);
      shareStrings(value);
      expect(value).toEqual(before);
    }),
  );
  const withFrozen = { id: 'a', frozen: Object.freeze({ id: 'a' }) };
  shareStrings(withFrozen);
  expect(withFrozen).toEqual({ id: 'a', frozen: { id: 'a' } });
});
