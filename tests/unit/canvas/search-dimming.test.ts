import { expect, test } from 'vitest';
import { dimsOthers } from '../../../src/canvas/search-dimming.ts';

test('W2.05 a search dims the other cards once it has found some, and none while no card or more than 500 match', () => {
  const found = (count: number) => new Set(Array.from({ length: count }, (_, i) => `n${i}`));
  expect(dimsOthers(null)).toBe(false);
  expect(dimsOthers(found(0))).toBe(false);
  expect(dimsOthers(found(1))).toBe(true);
  expect(dimsOthers(found(500))).toBe(true);
  expect(dimsOthers(found(501))).toBe(false);
});
