import { expect, test } from 'vitest';
import { foldersThatNeedEachOther, importCircles } from '../support/source-tree/import-graph.ts';

/** Files that need each other are read together: more than these are a module without an order. */
const mostInCircle = 3;

test('no more than three files of the product import each other in a circle, types included', () => {
  const circles = importCircles(['src', 'server', 'contract', 'rules', 'async']);
  expect(circles.length).toBeGreaterThan(0);
  expect(circles.filter(({ length }) => length > mostInCircle)).toEqual([]);
});

test('no two folders of the page import each other, types included', () => {
  expect(foldersThatNeedEachOther('src/app')).toEqual([]);
  // The rule sees such pairs: the page's engine and its modules are one.
  expect(foldersThatNeedEachOther('src')).not.toEqual([]);
});
