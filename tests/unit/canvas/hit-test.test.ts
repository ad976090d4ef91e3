import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { DocumentIndex } from '../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../src/canvas/geometry/touched.ts';
import { hitTest } from '../../../src/canvas/hit-test.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';

const node = (id: string, x: number, y: number): CanvasNode => ({ id, type: 'agent', title: id, x, y });
const link = (from: string, to: string) => ({
  id: `${from}-${to}`,
  from: { agentId: from, port: 'out' as const },
  to: { agentId: to, port: 'in' as const },
});

function indexOf(nodes: CanvasNode[], links: ReturnType<typeof link>[] = []) {
  const index = new DocumentIndex();
  index.update(
    { nodes: Object.fromEntries(nodes.map((one) => [one.id, one])), connections: Object.fromEntries(links.map((one) => [one.id, one])) },
    touchedAll,
  );
  return index;
}

test('W4.12 a press inside a card finds it, and the one that lies on top', () => {
  const index = indexOf([node('a', 0, 0), node('b', 100, 50)]);
  expect(hitTest(index, { x: 20, y: 20 }, 1)).toEqual({ kind: 'node', id: 'a' });
  expect(hitTest(index, { x: 200, y: 100 }, 1)).toEqual({ kind: 'node', id: 'b' });
  expect(hitTest(index, { x: 500, y: 500 }, 1)).toBeNull();
});

test('W4.11 a press on a port hits the port and not its card: the out port at the right, the in port at the left', () => {
  const index = indexOf([node('a', 0, 0)]);
  expect(hitTest(index, { x: 276, y: 80 }, 1)).toEqual({ kind: 'port', id: 'a', port: 'out' });
  expect(hitTest(index, { x: -6, y: 76 }, 1)).toEqual({ kind: 'port', id: 'a', port: 'in' });
  expect(hitTest(index, { x: 264, y: 78 }, 1)).toEqual({ kind: 'node', id: 'a' });
});

test('W4.11 a press on a port under another card hits that card', () => {
  const index = indexOf([node('a', 0, 0), node('b', 200, 10)]);
  expect(hitTest(index, { x: 280, y: 78 }, 1)).toEqual({ kind: 'node', id: 'b' });
});

test('W4.11 a press hits no port at a zoom at which ports are too small to be drawn', () => {
  const index = indexOf([node('a', 0, 0)]);
  expect(hitTest(index, { x: 278, y: 78 }, 0.3)).toEqual({ kind: 'node', id: 'a' });
  expect(hitTest(index, { x: 290, y: 78 }, 0.3)).toBeNull();
});

test('W2.08 a press hits a link within a distance that is measured on the screen', () => {
  const index = indexOf([node('a', 0, 0), node('b', 600, 0)], [link('a', 'b')]);
  expect(hitTest(index, { x: 440, y: 83 }, 1)).toEqual({ kind: 'link', id: 'a-b' });
  expect(hitTest(index, { x: 440, y: 95 }, 1)).toBeNull();
  expect(hitTest(index, { x: 440, y: 95 }, 0.4)).toEqual({ kind: 'link', id: 'a-b' });
});

test('W2.08 at low zoom a press beside a link hits the empty canvas', () => {
  const index = indexOf([node('a', 0, 0), node('b', 600, 0)], [link('a', 'b')]);
  expect(hitTest(index, { x: 440, y: 98 }, 0.1)).toEqual({ kind: 'link', id: 'a-b' });
  expect(hitTest(index, { x: 440, y: 110 }, 0.1)).toBeNull();
});

test('W4.12 a press hits a moved card and its links at their new places, and no deleted card', () => {
  const a = node('a', 0, 0);
  const b = node('b', 600, 0);
  const index = indexOf([a, b], [link('a', 'b')]);
  const moved = { ...b, y: 1_000 };
  const changed = index.update(
    { nodes: { a, b: moved }, connections: { 'a-b': link('a', 'b') } },
    { nodes: new Set(['b']), links: new Set() },
  );
  expect(changed).toEqual({ nodes: new Set(['b']), links: new Set(['a-b']), routes: new Set() });
  expect(hitTest(index, { x: 520, y: 78 }, 1)).toBeNull();
  expect(hitTest(index, { x: 440, y: 500 }, 1)).toEqual({ kind: 'link', id: 'a-b' });

  index.update({ nodes: { a }, connections: {} }, { nodes: new Set(['b']), links: new Set(['a-b']) });
  expect(hitTest(index, { x: 700, y: 1_050 }, 1)).toBeNull();
  expect(hitTest(index, { x: 440, y: 500 }, 1)).toBeNull();
  expect(index.linksOf('a')).toEqual([]);
  expect(index.bounds()).toEqual({ left: 0, top: 0, right: 280, bottom: 156 });
});

test('W3.01 a group is taken by its edge and its name alone, a note anywhere, and a card lies above both', () => {
  const nodes: CanvasNode[] = [
    agentAt('card', 100, 100),
    { id: 'note', type: 'note', title: '', x: 300, y: 200, width: 200, height: 160 },
    { id: 'group', type: 'group', title: 'Team', x: 0, y: 0, width: 1_000, height: 600 },
  ];
  const index = new DocumentIndex();
  index.update(documentOf(nodes), touchedAll);
  const at = (x: number, y: number, zoom = 1) => hitTest(index, { x, y }, zoom)?.id ?? null;
  expect(at(200, 150)).toBe('card');
  expect(at(320, 220)).toBe('card');
  expect(at(480, 340)).toBe('note');
  expect(at(700, 450)).toBeNull();
  expect(at(998, 450)).toBe('group');
  expect(at(30, -12)).toBe('group');
  expect(at(700, -12)).toBeNull();
  expect(at(975, 450, 0.2)).toBe('group');
});

test('D9.04 a press on the foot of a completed card hits the foot; at smaller zooms a press on the sign of its state does', () => {
  const index = indexOf([node('done', 0, 0), node('idle', 400, 0), { ...node('start', 800, 0), type: 'start' }]);
  const partAt = (x: number, y: number, zoom = 1) => {
    const hit = hitTest(index, { x, y }, zoom, (id) => id !== 'idle');
    return hit?.kind === 'node' ? (hit.part ?? 'card') : null;
  };
  expect(partAt(140, 140)).toBe('foot');
  expect(partAt(140, 100)).toBe('card');
  expect(partAt(540, 140)).toBe('card');
  expect(partAt(900, 60)).toBe('card');
  expect(partAt(250, 30, 0.5)).toBe('foot');
  expect(partAt(140, 140, 0.5)).toBe('card');
  expect(partAt(250, 30, 0.3)).toBe('card');
});
