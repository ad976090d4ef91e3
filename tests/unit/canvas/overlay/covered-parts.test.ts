import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { clipAround, coveredParts } from '../../../../src/canvas/overlay/covered-parts.ts';

const card = (id: string, x: number, y: number, type: CanvasNode['type'] = 'agent'): CanvasNode => ({ id, type, title: id, x, y });
const dialog = card('dialog', 0, 0, 'dialog');

function indexOf(...nodes: CanvasNode[]) {
  const index = new DocumentIndex();
  index.update({ nodes: Object.fromEntries(nodes.map((one) => [one.id, one])), connections: {} }, touchedAll);
  return index;
}

test('W2.12 a form is cut where a card lies over it, and nowhere by what lies under it, beside it or is a group or a note', () => {
  const above = { ...card('above', 200, 100) };
  const index = indexOf(
    card('below', 10, 10),
    dialog,
    above,
    card('beside', 280, 0),
    card('note', 0, 0, 'note'),
    card('group', 0, 0, 'group'),
  );
  expect(coveredParts('dialog', index, null)).toEqual([{ left: 200, top: 100, right: 280, bottom: 236 }]);
});

test('W2.12 a card that is dragged over a form clips the form, also a card from a lower layer, until the card is dragged off', () => {
  const index = indexOf(card('low', 1_000, 0), dialog, card('high', 100, 100));
  const drag = (dx: number, ...ids: string[]) => ({ nodeIds: new Set(ids), dx, dy: 0 });
  expect(coveredParts('dialog', index, drag(-800, 'low', 'high'))).toEqual([{ left: 200, top: 0, right: 280, bottom: 156 }]);
  expect(coveredParts('dialog', index, drag(500, 'high'))).toEqual([]);
  expect(coveredParts('dialog', index, { ...drag(500, 'high'), copies: true })).toEqual([{ left: 100, top: 100, right: 280, bottom: 236 }]);
});

test('W2.12 a dragged dialog lies over all cards that stay, and under the higher cards that are dragged with the dialog', () => {
  const index = indexOf(dialog, card('comes', 240, 0), card('stays', 0, 200));
  const drag = { nodeIds: new Set(['dialog', 'comes']), dx: 50, dy: 0 };
  expect(coveredParts('dialog', index, drag)).toEqual([{ left: 240, top: 0, right: 280, bottom: 156 }]);
});

test('W2.12 however cards lie, a point of the form is cut out exactly once where one of them covers it, and not elsewhere', () => {
  const place = fc.record({ x: fc.integer({ min: -300, max: 300 }), y: fc.integer({ min: -300, max: 300 }) });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 6 }), (places) => {
      const index = indexOf(dialog, ...places.map(({ x, y }, i) => card(`c${i}`, x, y)));
      const parts = coveredParts('dialog', index, null);
      for (let x = 0.5; x < 280; x += 20) {
        for (let y = 0.5; y < 236; y += 20) {
          const isCovered = places.some((at) => x >= at.x && x < at.x + 280 && y >= at.y && y < at.y + 156);
          const cuts = parts.filter(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom);
          expect(cuts.length).toBe(isCovered ? 1 : 0);
        }
      }
    }),
  );
});

test('W2.12 a form that nothing covers is not clipped, and each hole adds one path to the clip', () => {
  expect(clipAround([])).toBe('');
  expect(clipAround([{ left: 1, top: 2, right: 3, bottom: 4 }])).toBe('path(evenodd, "M-4000 -4000H4000V4000H-4000ZM1 2H3V4H1Z")');
});
