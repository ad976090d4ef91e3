import { expect, test } from 'vitest';
import { CanvasView } from '../../../src/canvas/canvas-view.ts';
import { DocumentIndex } from '../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../src/canvas/geometry/touched.ts';
import { menuAtPoint, menuOfDrop, menuOfSelection } from '../../../src/canvas/menu-request.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';

const document = documentOf([agentAt('a', 100, 100), agentAt('b', 5_000, 100)], [['a', 'b']]);
const index = new DocumentIndex();
index.update(document, touchedAll);

function momentWith(nodes: string[], links: string[] = []) {
  const view = new CanvasView();
  view.update({
    size: { width: 1_000, height: 800 },
    insets: { top: 50, right: 0, bottom: 50, left: 200 },
    camera: { x: 0, y: 0, zoom: 0.5 },
    selectedNodes: new Set(nodes),
    selectedLinks: new Set(links),
  });
  return view.ephemeral;
}

test('W2.06 a pressed card becomes the selection, unless the card is one of several selected cards', () => {
  const alone = menuAtPoint({ kind: 'node', id: 'b' }, { x: 10, y: 20 }, momentWith(['a']));
  expect(alone.request).toEqual({ target: { kind: 'node', id: 'b' }, at: { x: 10, y: 20 }, world: { x: 20, y: 40 } });
  expect(alone.ephemeral.selectedNodes).toEqual(new Set(['b']));
  const several = menuAtPoint({ kind: 'node', id: 'b' }, { x: 10, y: 20 }, momentWith(['a', 'b']));
  expect(several.request.target).toEqual({ kind: 'selection' });
  expect(several.ephemeral).toEqual({ hover: null });
  const port = menuAtPoint({ kind: 'port', id: 'a', port: 'out' }, { x: 0, y: 0 }, momentWith([]));
  expect(port.request.target).toEqual({ kind: 'node', id: 'a' });
  const link = menuAtPoint({ kind: 'link', id: 'a-b' }, { x: 0, y: 0 }, momentWith(['a']));
  expect(link.ephemeral.selectedLinks).toEqual(new Set(['a-b']));
  expect(link.ephemeral.selectedNodes).toEqual(new Set());
});

test('D4.12 the menu of an empty place names the selected card if it is the only one', () => {
  const empty = menuAtPoint(null, { x: 0, y: 0 }, momentWith(['a']));
  expect(empty.request.target).toEqual({ kind: 'canvas', near: 'a' });
  expect(empty.ephemeral.selectedNodes).toEqual(new Set());
  expect(menuAtPoint(null, { x: 0, y: 0 }, momentWith(['a', 'b'])).request.target).toEqual({ kind: 'canvas' });
});

test('W2.06 a menu that the keyboard opens appears at the middle of the selection, moved into view', () => {
  expect(menuOfSelection(momentWith(['a']), index)).toMatchObject({ target: { kind: 'node', id: 'a' }, at: { x: 200, y: 89 } });
  expect(menuOfSelection(momentWith(['b']), index).at).toEqual({ x: 1_000, y: 89 });
  expect(menuOfSelection(momentWith([]), index)).toMatchObject({ target: { kind: 'canvas' }, at: { x: 600, y: 400 } });
  expect(menuOfSelection(momentWith(['a'], ['a-b']), index).target).toEqual({ kind: 'selection' });
});

test('D2.01 the menu of a link that ends on an empty place keeps clear of the port at its other end, and opens without that card too', () => {
  const at = { x: 400, y: 90 };
  const moment = momentWith([]);
  expect(menuOfDrop({ from: 'a', at }, moment, index)).toEqual({
    target: { kind: 'drop', from: 'a' },
    at,
    world: { x: 800, y: 180 },
    clearOf: { x: 190, y: 89 },
  });
  const redrawn = { id: 'a-b', end: 'from' } as const;
  expect(menuOfDrop({ from: 'b', at, into: 'g', redrawn }, moment, index)).toMatchObject({
    target: { kind: 'drop', from: 'b', into: 'g', redrawn },
    clearOf: { x: 2_500, y: 89 },
  });
  expect(menuOfDrop({ from: 'gone', at }, moment, index)).not.toHaveProperty('clearOf');
});
