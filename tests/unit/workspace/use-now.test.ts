import { expect, test } from 'vitest';
import { untilNextSecond } from '../../../src/app/workspace/time/use-now.ts';

test('R44.01 the time of a step changes with its own seconds, whenever the page began to count', () => {
  const startedAt = Date.parse('2026-11-20T21:43:16.700Z');
  expect(untilNextSecond(startedAt, startedAt)).toBe(1_000);
  expect(untilNextSecond(startedAt + 250, startedAt)).toBe(750);
  expect(untilNextSecond(startedAt + 61_999, startedAt)).toBe(1);
  expect(untilNextSecond(startedAt - 300, startedAt)).toBe(300);
});
