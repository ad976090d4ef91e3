import { expect, test } from 'vitest';
import { withOne } from '../../../../src/canvas/geometry/short-list.ts';

test('W2.05 a list keeps its values in order as it grows', () => {
  const values = Array.from({ length: 40 }, (_, i) => i);
  let list: number[] | undefined;
  for (const [at, value] of values.entries()) {
    list = withOne(list, value);
    expect(list).toEqual(values.slice(0, at + 1));
  }
});
