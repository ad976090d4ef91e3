import { expect, test } from 'vitest';
import type { Thought } from '../../../../contract/executions/thought.ts';
import { noThoughts, withNewest, withOlder } from '../../../../src/app/workspace/console/thinking/use-thoughts.ts';
import { thoughtsPerPage } from '../../../../src/model/page-lengths.ts';

/** Thoughts by their numbers, newest first. */
const thoughts = (from: number, to: number) => Array.from({ length: from - to }, (_, index) => ({ id: String(from - index) }) as Thought);
const numbers = (pages: { thoughts: readonly Thought[] }) => pages.thoughts.map(({ id }) => Number(id));

test('W7.04 W9.02 thoughts are read fifty at a time, older ones after them, without a gap and none twice', () => {
  expect(thoughtsPerPage).toBe(50);
  const first = withNewest(noThoughts, thoughts(120, 70));
  expect(first).toMatchObject({ whole: false });
  // Three have been added: the next page begins with three known thoughts.
  const second = withOlder(first, thoughts(73, 23));
  expect(numbers(second)).toEqual(thoughts(120, 23).map(({ id }) => Number(id)));
  const third = withOlder(second, thoughts(23, 0));
  expect([numbers(third).length, third.whole]).toEqual([120, true]);
  const anew = withNewest(third, thoughts(123, 73));
  expect([numbers(anew)[0], numbers(anew).length, anew.whole]).toEqual([123, 123, true]);
});

test('W7.04 the loaded thoughts are discarded where more than a page of new ones exists', () => {
  const first = withNewest(noThoughts, thoughts(20, 0));
  expect(first.whole).toBe(true);
  const anew = withNewest(first, thoughts(100, 50));
  expect([numbers(anew).length, anew.whole]).toEqual([50, false]);
  expect(withNewest(noThoughts, [])).toEqual({ thoughts: [], whole: true });
});
