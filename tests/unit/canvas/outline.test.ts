import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cameraShowing } from '../../../src/canvas/outline/camera-showing.ts';
import { outlineKey } from '../../../src/canvas/outline/outline-key.ts';
import { OutlineRows, rowId } from '../../../src/canvas/outline/outline-rows.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';

const outline = new OutlineRows(
  documentOf(
    [agentAt('c', 0, 300), agentAt('b', 400, 0), agentAt('a', 0, 0)],
    [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ],
  ),
);
const rows = outline.about(null, 100);
const press = (
  key: string,
  at: number,
  more: { shift?: boolean; alt?: boolean; code?: string; linkingFrom?: string | null; readOnly?: boolean } = {},
) =>
  outlineKey(
    { key, code: more.code ?? key, shift: more.shift ?? false, alt: more.alt ?? false, repeat: false, modified: false },
    { rows, at, linkingFrom: more.linkingFrom ?? null, readOnly: more.readOnly ?? false, along: (id, way) => outline.along(id, way) },
  );

test('W2.05 the outline lists cards in reading order, each with the links that lead out of it', () => {
  expect(rows.map(rowId)).toEqual(['a', 'a-b', 'a-c', 'b', 'b-c', 'c']);
});

test('W2.05 the outline of a large canvas lists only the cards around the focused card', () => {
  const many = new OutlineRows(documentOf(Array.from({ length: 1_000 }, (_, i) => agentAt(`n${i}`, i * 300, 0))));
  expect(many.about(null, 100).map(rowId).at(-1)).toBe('n99');
  const about = many.about('n500', 100);
  expect(about).toHaveLength(100);
  expect(about[50]).toMatchObject({ kind: 'node', index: 500 });
  expect(many.about('n999', 100).map(rowId).at(-1)).toBe('n999');
});

test('W2.05 up and down move the focus by lines, right follows the link of the line or the first link of the card, left follows it back', () => {
  expect(press('ArrowDown', 0)).toEqual({ kind: 'go', to: 1 });
  expect(press('ArrowRight', 0)).toEqual({ kind: 'follow', nodeId: 'b' });
  expect(press('ArrowRight', 2)).toEqual({ kind: 'follow', nodeId: 'c' });
  expect(press('Enter', 2)).toEqual({ kind: 'follow', nodeId: 'c' });
  expect(press('ArrowLeft', 2)).toEqual({ kind: 'follow', nodeId: 'a' });
  expect(press('ArrowLeft', 5)).toEqual({ kind: 'follow', nodeId: 'a' });
  expect(press('ArrowDown', 5)).toEqual({ kind: 'go', to: 5 });
});

test('W2.05 where there is no link to follow, or one is being made, left and right go from card to card', () => {
  expect(press('ArrowRight', 5)).toEqual({ kind: 'go', to: 5 });
  expect(press('ArrowLeft', 0)).toEqual({ kind: 'go', to: 0 });
  expect(press('ArrowRight', 0, { linkingFrom: 'a' })).toEqual({ kind: 'go', to: 3 });
  expect(press('ArrowLeft', 5, { linkingFrom: 'a' })).toEqual({ kind: 'go', to: 3 });
});

test('W4.11 a link is made by the keyboard: L on the one card, Enter on the other', () => {
  expect(press('д', 0, { code: 'KeyL' })).toEqual({ kind: 'startLink', from: 'a' });
  expect(press('Enter', 5, { linkingFrom: 'a' })).toEqual({ kind: 'endLink', from: 'a', to: 'c' });
  expect(press('Escape', 5, { linkingFrom: 'a' })).toEqual({ kind: 'cancelLink' });
});

test('W4.12 Delete removes the card or the link in focus, Shift and arrows move the card', () => {
  expect(press('Delete', 1)).toEqual({ kind: 'command', command: { type: 'selection.remove', nodeIds: [], connectionIds: ['a-b'] } });
  expect(press('Delete', 3)).toEqual({ kind: 'command', command: { type: 'selection.remove', nodeIds: ['b'], connectionIds: [] } });
  expect(press('ArrowRight', 3, { shift: true })).toEqual({
    kind: 'move',
    nodeId: 'b',
    dx: 20,
    dy: 0,
  });
});

test('G2.02 H sets the hold of the link in focus, on any layout, and does nothing to a card', () => {
  expect(press('р', 1, { code: 'KeyH' })).toEqual({ kind: 'hold', linkId: 'a-b' });
  expect(press('h', 3, { code: 'KeyH' })).toBeNull();
  expect(press('h', 1, { code: 'KeyH', readOnly: true })).toBeNull();
});

test('W2.07 a read-only outline can be walked by keys, and no key changes the document', () => {
  expect(press('ArrowDown', 0, { readOnly: true })).toEqual({ kind: 'go', to: 1 });
  for (const key of ['Delete', 'KeyL']) expect(press(key, 0, { readOnly: true })).toBeNull();
});

test('W2.05 a focused card is moved clear of the panels, and the view moves no further', () => {
  const view = {
    camera: { x: 0, y: 0, zoom: 1 },
    size: { width: 1_000, height: 800 },
    insets: { top: 60, right: 0, bottom: 100, left: 280 },
  };
  expect(cameraShowing({ left: 400, top: 200, right: 680, bottom: 356 }, view)).toBe(view.camera);
  expect(cameraShowing({ left: 0, top: 700, right: 280, bottom: 856 }, view)).toEqual({ x: 304, y: -180, zoom: 1 });
});

test('W2.05 an updated outline equals a newly built one, keeps no earlier document, and lines that were listed stay as they are', () => {
  const id = fc.integer({ min: 0, max: 30 }).map((i) => `n${i}`);
  const place = fc.integer({ min: -3, max: 3 }).map((i) => i * 100);
  const nodes = fc.uniqueArray(fc.record({ id, x: place, y: place }), { selector: (node) => node.id, maxLength: 30 });
  const links = fc.array(fc.tuple(id, id), { maxLength: 20 });
  fc.assert(
    fc.property(nodes, links, nodes, links, (from, fromLinks, to, toLinks) => {
      const before = documentOf(
        from.map((node) => agentAt(node.id, node.x, node.y)),
        fromLinks,
      );
      const changed = documentOf(
        to.map((node) => agentAt(node.id, node.x, node.y)),
        toLinks,
      );
      const after = { nodes: { ...before.nodes, ...changed.nodes }, connections: { ...before.connections, ...changed.connections } };
      const first = new OutlineRows(before);
      const listed = first.about(null, 10);
      const then = structuredClone(listed);
      const ids = Object.keys(changed.nodes);
      const hasLinks = Object.keys(changed.connections).length > 0;
      const change = { nodes: new Map(ids.map((id) => [id, before.nodes[id]])), hasLinks };
      const back = { nodes: new Map(ids.map((id) => [id, after.nodes[id]])), hasLinks };
      const next = first.after(after, change);
      expect(next.about(null, 10)).toEqual(new OutlineRows(after).about(null, 10));
      expect(first.about(null, 10)).toEqual(next.about(null, 10));
      expect(listed).toEqual(then);
      // After the removal of the new cards the outline is the same as before.
      expect(next.after(before, back).about(null, 10)).toEqual(listed);
    }),
  );
});

test('W3.01 Alt, Shift and arrows resize a note or group in focus, and no card', () => {
  const note = { id: 'n', type: 'note' as const, title: '', x: 0, y: 0 };
  const withNote = new OutlineRows({ nodes: { n: note, a: agentAt('a', 400, 0) }, connections: {} }).about(null, 100);
  const resize = (at: number, readOnly: boolean) =>
    outlineKey(
      { key: 'ArrowLeft', code: 'ArrowLeft', shift: true, alt: true, repeat: true, modified: false },
      { rows: withNote, at, linkingFrom: null, readOnly, along: () => null },
    );
  expect(resize(0, false)).toEqual({ kind: 'resize', nodeId: 'n', step: { x: -1, y: 0, goesOn: true } });
  expect(resize(0, true)).toBeNull();
  expect(resize(1, false)).toBeNull();
});
