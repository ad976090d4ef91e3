import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeBox } from '../../../../src/canvas/geometry/document-bounds.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { snap } from '../../../../src/canvas/geometry/snap.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

const world = { left: -10_000, top: -10_000, right: 10_000, bottom: 10_000 };

/** Drags the card `a` at (0, 0) among others. */
function drag(others: [x: number, y: number][], by: { dx: number; dy: number }, options: { grid?: boolean; shown?: typeof world } = {}) {
  const a = agentAt('a', 0, 0);
  const index = new DocumentIndex();
  index.update(documentOf([a, ...others.map(([x, y], i) => agentAt(`o${i}`, x, y))]), touchedAll);
  const { grid = false, shown = world } = options;
  return snap(by, { box: nodeBox(a), grip: a, cards: index.nodes, dragged: new Set(['a']), shown, reach: 6, grid });
}

test('W9.01 an edge in reach of a neighbour’s edge snaps to it, and the line is shown from one card to the other', () => {
  expect(drag([[500, 400]], { dx: 496, dy: 30 })).toEqual({
    dx: 500,
    dy: 30,
    guides: [
      { axis: 'x', at: 500, from: 30, to: 556 },
      { axis: 'x', at: 780, from: 30, to: 556 },
    ],
  });
  // The right edge snaps to the left edge of the neighbour: flush side by side.
  expect(drag([[500, 400]], { dx: 223, dy: 30 })).toMatchObject({ dx: 220, guides: [{ axis: 'x', at: 500 }] });
});

test('W9.01 each axis snaps independently, and nothing snaps out of reach', () => {
  expect(drag([[500, 400]], { dx: 504, dy: 397 })).toMatchObject({ dx: 500, dy: 400 });
  expect(drag([[500, 400]], { dx: 507, dy: 30 })).toEqual({ dx: 507, dy: 30, guides: [] });
});

test('W9.01 the middle snaps to a middle and never to an edge', () => {
  const dialog = { id: 'd', type: 'dialog' as const, title: 'd', x: 400, y: 300 };
  const a = agentAt('a', 0, 0);
  const index = new DocumentIndex();
  index.update(documentOf([a, dialog]), touchedAll);
  const options = { box: nodeBox(a), grip: a, cards: index.nodes, dragged: new Set(['a']), shown: world, reach: 6, grid: false };
  // The dialog is 236 high and the card 156: with the card 40 lower, their middles and their ports have the same y.
  expect(snap({ dx: 30, dy: 343 }, options)).toMatchObject({ dx: 30, dy: 340, guides: [{ axis: 'y', at: 418, from: 30, to: 680 }] });
  // The card's middle is at the dialog's top.
  expect(snap({ dx: 30, dy: 222 }, options)).toEqual({ dx: 30, dy: 222, guides: [] });
});

test('W9.01 the nearest line of several neighbours wins, and only neighbours in view count', () => {
  expect(
    drag(
      [
        [500, 400],
        [505, 800],
      ],
      { dx: 504, dy: 30 },
    ),
  ).toMatchObject({ dx: 505 });
  const shown = { left: 0, top: 0, right: 1_000, bottom: 300 };
  expect(drag([[500, 400]], { dx: 496, dy: 30 }, { shown })).toEqual({ dx: 496, dy: 30, guides: [] });
});

test('W2.05 the grid snaps an axis without a near neighbour, by the corner of the dragged card', () => {
  expect(drag([], { dx: 33, dy: 48 }, { grid: true })).toEqual({ dx: 40, dy: 40, guides: [] });
  expect(drag([[507, 400]], { dx: 504, dy: 31 }, { grid: true })).toMatchObject({ dx: 507, dy: 40 });
  const a = agentAt('a', 3, 5);
  const index = new DocumentIndex();
  index.update(documentOf([a]), touchedAll);
  const options = { box: nodeBox(a), grip: a, cards: index.nodes, dragged: new Set(['a']), shown: world, reach: 6, grid: true };
  expect(snap({ dx: 30, dy: 30 }, options)).toEqual({ dx: 37, dy: 35, guides: [] });
});

test('W9.01 no card snaps farther than the reach, and cards with a guide are aligned', () => {
  const place = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }));
  fc.assert(
    fc.property(fc.array(place, { maxLength: 12 }), place, (others, [dx, dy]) => {
      const snapped = drag(others, { dx, dy });
      expect(Math.abs(snapped.dx - dx)).toBeLessThanOrEqual(6);
      expect(Math.abs(snapped.dy - dy)).toBeLessThanOrEqual(6);
      const lines = { x: [snapped.dx, snapped.dx + 140, snapped.dx + 280], y: [snapped.dy, snapped.dy + 78, snapped.dy + 156] };
      for (const { axis, at, from, to } of snapped.guides) {
        expect(lines[axis].some((line) => Math.abs(line - at) < 1e-6)).toBe(true);
        expect(from).toBeLessThanOrEqual(to);
      }
    }),
  );
});
