import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testTitles } from '../support/source-tree/test-titles.ts';

const root = join(import.meta.dirname, '../..');
const idPattern = /\b[CDGMPRW]\d+\.\d+\b/g;

test('every id that a test names is explained in docs/features.md, once, and every one explained there is shown by a test', () => {
  const explained = [...readFileSync(join(root, 'docs/features.md'), 'utf8').matchAll(/^\| ([CDGMPRW]\d+\.\d+) \| \S.*\|$/gm)].map(
    ([, id]) => id as string,
  );
  expect(explained.toSorted()).toEqual([...new Set(idsInTitles())].toSorted());
});

function idsInTitles(): string[] {
  return testTitles().flatMap(({ title }) => title.match(idPattern) ?? []);
}
