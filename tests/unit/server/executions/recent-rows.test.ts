import { expect, test } from 'vitest';
import { createRecentRows } from '../../../../server/modules/executions/index.ts';

test('R23.01 a recent entry can be taken once, and a newer one of the same id replaces it', () => {
  const recent = createRecentRows<string>(() => 1);
  recent.put('a', 'first');
  recent.put('a', 'second');
  expect([recent.take('a'), recent.take('a'), recent.take('unknown')]).toEqual(['second', null, null]);
});

test('R19.01 recent entries are limited by number and by weight, the oldest leave first, and one that is too heavy is not kept', () => {
  const light = createRecentRows<number>(() => 1);
  for (let id = 0; id <= 1_000; id += 1) light.put(`${id}`, id);
  expect([light.take('0'), light.take('1'), light.take('1000')]).toEqual([null, 1, 1_000]);

  const kibibyte = 1024;
  const heavy = createRecentRows<number>((weight) => weight);
  heavy.put('too heavy', 64 * kibibyte + 1);
  expect(heavy.take('too heavy')).toBeNull();
  for (let id = 0; id <= 256; id += 1) heavy.put(`${id}`, 64 * kibibyte);
  expect([heavy.take('0'), heavy.take('1'), heavy.take('256')]).toEqual([null, 64 * kibibyte, 64 * kibibyte]);
});
