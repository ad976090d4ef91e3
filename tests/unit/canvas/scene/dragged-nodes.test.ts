import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { touchedAll, touchedBy } from '../../../../src/canvas/geometry/touched.ts';
import { DraggedNodes } from '../../../../src/canvas/scene/cards/dragged-nodes.ts';

const node = (id: string, x: number): CanvasNode => ({ id, type: 'agent', title: id, x, y: 0 });

function canvas() {
  const index = new DocumentIndex();
  const nodes: Record<string, CanvasNode> = { a: node('a', 0), b: node('b', 400) };
  index.update({ nodes, connections: {} }, touchedAll);
  const move = (id: string, x: number) => {
    nodes[id] = { ...(nodes[id] as CanvasNode), x };
    index.update({ nodes, connections: {} }, { nodes: new Set([id]), links: new Set() });
  };
  return { index, move, get: (id: string) => nodes[id] ?? null };
}

test('W4.12 a drag reports its cards at its beginning and at its end only', () => {
  const { index } = canvas();
  const dragged = new DraggedNodes();
  const nodeIds = new Set(['a']);
  expect(dragged.follow({ nodeIds, dx: 5, dy: 0 }, index)).toEqual(['a']);
  expect(dragged.follow({ nodeIds, dx: 50, dy: 8 }, index)).toEqual([]);
  expect([dragged.dx, dragged.dy, dragged.isDragged('a'), dragged.isDragged('b')]).toEqual([50, 8, true, false]);
  expect(dragged.follow(null, index)).toEqual(['a']);
  expect(dragged.isEmpty).toBe(true);
});

test('W2.05 the version of a drag changes at its beginning and its end, and at no step between', () => {
  const { index, move, get } = canvas();
  const dragged = new DraggedNodes();
  const nodeIds = new Set(['a']);
  const versions = [dragged.version];
  const follow = (drag: Parameters<DraggedNodes['follow']>[0]) => {
    dragged.follow(drag, index);
    versions.push(dragged.version);
  };
  for (const dx of [5, 10, 15]) follow({ nodeIds, dx, dy: 0 });
  follow({ nodeIds, dx: 15, dy: 0, copies: true });
  follow({ nodeIds, dx: 15, dy: 0 });
  move('a', 15);
  dragged.settle(new Set(['a']), get);
  versions.push(dragged.version);
  follow(null);
  expect(versions).toEqual([0, 1, 1, 1, 2, 3, 4, 4]);
});

test("W4.12 a move that arrives before its drag has ended is not added to the drag's offset", () => {
  const { index, move, get } = canvas();
  const dragged = new DraggedNodes();
  const nodeIds = new Set(['a']);
  dragged.follow({ nodeIds, dx: 50, dy: 0 }, index);
  expect(dragged.settle(new Set(['b']), get)).toEqual([]);
  move('a', 50);
  expect(dragged.settle(new Set(['a']), get)).toEqual(['a']);
  expect(dragged.follow({ nodeIds, dx: 50, dy: 0 }, index)).toEqual([]);
  expect([dragged.dx, dragged.isEmpty]).toEqual([0, true]);
  expect(dragged.follow(null, index)).toEqual([]);
  expect(dragged.follow({ nodeIds: new Set(['a']), dx: 1, dy: 1 }, index)).toEqual(['a']);
});

test('W4.12 a patch touches the cards and links that its path names, and one of the whole document touches all', () => {
  const touched = touchedBy([
    { op: 'replace', path: ['document', 'nodes', 'a', 'x'], value: 5 },
    { op: 'add', path: ['document', 'connections', 'c'], value: {} },
    { op: 'replace', path: ['run', 'partial', 's1'], value: 'text' },
  ]);
  expect(touched).toEqual({ nodes: new Set(['a']), links: new Set(['c']), agents: false, run: false });
  expect(touchedBy([{ op: 'replace', path: ['document'], value: {} }])).toEqual({ nodes: 'all', links: 'all', agents: false, run: false });
});
