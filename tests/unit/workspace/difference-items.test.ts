import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { comparisonOnCanvas, differenceItems, neighbour } from '../../../src/app/workspace/versions/difference-items.ts';
import { compareDocuments } from '../../../src/model/versions/comparison.ts';

const card = (id: string, x: number, y: number, title = id): CanvasNode => ({ id, type: 'start', title, x, y });
const link = (from: string, to: string) => ({
  [`${from}-${to}`]: { id: `${from}-${to}`, from: { agentId: from, port: 'out' as const }, to: { agentId: to, port: 'in' as const } },
});
const before: CanvasDocument = {
  nodes: { a: card('a', 0, 0), b: card('b', 400, 8), c: card('c', 0, 400), d: card('d', 800, 0) },
  connections: { ...link('a', 'b'), ...link('a', 'c') },
};
const now: CanvasDocument = {
  nodes: { a: card('a', 0, 0, 'Renamed'), c: card('c', 40, 400), d: card('d', 800, 0), e: card('e', 200, 0) },
  connections: { ...link('a', 'c'), ...link('a', 'e') },
};
const items = differenceItems(compareDocuments(before, now), now);

test('G6.09 differences are listed in reading order, links after cards and with the titles of their ends', () => {
  expect(items.map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'changed'],
    ['e', 'added'],
    ['b', 'removed'],
    ['c', 'moved'],
    ['a-e', 'added'],
    ['a-b', 'removed'],
  ]);
  expect(items.flatMap((item) => (item.record === 'link' ? [item.ends.join(' > ')] : []))).toEqual(['Renamed > e', 'Renamed > b']);
});

test('G6.08 removed cards and links are ghosts on the canvas, all others marks', () => {
  const shown = comparisonOnCanvas(items, 'b');
  expect([...shown.nodes.keys(), ...shown.links.keys()]).toEqual(['a', 'e', 'c', 'a-e']);
  expect([...shown.ghosts.keys(), ...shown.ghostLinks.map(({ id }) => id)]).toEqual(['b', 'a-b']);
  expect(shown.focusId).toBe('b');
});

test('G6.09 the next and the previous difference go round, and begin at either end', () => {
  expect([neighbour(items, null, 1)?.id, neighbour(items, null, -1)?.id]).toEqual(['a', 'a-b']);
  expect([neighbour(items, 'a', 1)?.id, neighbour(items, 'a', -1)?.id, neighbour(items, 'a-b', 1)?.id]).toEqual(['e', 'a-b', 'a']);
  expect(neighbour([], 'a', 1)).toBeNull();
});
