import { expect, test } from 'vitest';
import { importCircles } from '../support/source-tree/import-graph.ts';

/** Files that need each other are read together: more than these are a module without an order. */
const mostInCircle = 3;

test('no more than three files of the product import each other in a circle, types included', () => {
  const circles = importCircles(['src', 'server', 'contract', 'rules', 'async']);
  expect(circles.length).toBeGreaterThan(0);
  expect(circles.filter(({ length }) => length > mostInCircle)).toEqual([]);
});
