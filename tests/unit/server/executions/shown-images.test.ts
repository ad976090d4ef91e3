import { expect, test } from 'vitest';
import { keepShownImages } from '../../../../server/modules/executions/tools/model-turns.ts';
import type { StoredTurn } from '../../../../server/modules/executions/tools/stored-turns.ts';

/** Turns with one call each, whose results have so many images. */
const turnsWith = (...counts: number[]) =>
  counts.map((count) => ({
    calls: [{ images: Array.from({ length: count }, () => ({ mime: 'image/png', base64: 'aaaa' })) }],
  })) as unknown as StoredTurn[];
const shownOf = (turns: StoredTurn[]) => turns.map(({ calls }) => calls[0]?.images?.filter(({ base64 }) => base64 !== '').length);

test('M4.11 the oldest images go together when there are too many, so that later prompts begin alike', () => {
  const turns = turnsWith(1, 1, 1, 1, 1, 1, 1, 1);
  keepShownImages(turns, true);
  expect(shownOf(turns)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  turns.push(...turnsWith(1));
  keepShownImages(turns, true);
  expect(shownOf(turns)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1]);
  turns.push(...turnsWith(1, 1));
  keepShownImages(turns, true);
  expect(shownOf(turns)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  const afterCrash = turnsWith(...turns.map(() => 1));
  keepShownImages(afterCrash, true);
  expect(shownOf(afterCrash)).toEqual(shownOf(turns));
});

test('M4.11 the newest result shows as many images as a step may, and a model that does not see gets none', () => {
  const turns = turnsWith(2, 9);
  keepShownImages(turns, true);
  expect(shownOf(turns)).toEqual([0, 8]);
  keepShownImages(turns, false);
  expect(shownOf(turns)).toEqual([0, 0]);
});
