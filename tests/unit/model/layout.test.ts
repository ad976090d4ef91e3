import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layeredLayout } from '../../../src/model/layout/layered-layout.ts';
import type { LayoutBox, LayoutLink } from '../../../src/model/layout/layout-box.ts';

const sizes = fc.constantFrom({ width: 280, height: 156 }, { width: 200, height: 68 }, { width: 280, height: 236 });
const boxes = fc
  .array(fc.record({ x: fc.integer({ min: -5_000, max: 5_000 }), y: fc.integer({ min: -5_000, max: 5_000 }), size: sizes }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((all) => all.map(({ x, y, size }, at): LayoutBox => ({ id: `n${at}`, x, y, ...size })));
const end = fc.integer({ min: 0, max: 29 });
const graph = fc.tuple(boxes, fc.array(fc.tuple(end, end), { maxLength: 60 })).map(([all, pairs]) => ({
  boxes: all,
  links: pairs.map(([from, to]): LayoutLink => ({ from: `n${from % all.length}`, to: `n${to % all.length}` })),
}));

test('W2.05 no two cards overlap after a layout, and the corner of them all stays', () => {
  fc.assert(
    fc.property(graph, ({ boxes: all, links }) => {
      const places = layeredLayout(all, links);
      expect(places.size).toBe(all.length);
      const laid = all.map((box) => ({ ...box, ...(places.get(box.id) as { x: number; y: number }) }));
      for (const a of laid) {
        for (const b of laid) {
          const apart = a.id === b.id || a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
          expect(apart).toBe(true);
        }
      }
      expect(Math.min(...laid.map(({ x }) => x))).toBe(Math.min(...all.map(({ x }) => x)));
      expect(Math.min(...laid.map(({ y }) => y))).toBe(Math.min(...all.map(({ y }) => y)));
    }),
  );
});

test('W2.05 every link of a graph without cycles leads to the right', () => {
  fc.assert(
    fc.property(graph, ({ boxes: all, links }) => {
      const number = (id: string) => Number(id.slice(1));
      const onward = links.filter(({ from, to }) => number(from) < number(to));
      const places = layeredLayout(all, onward);
      const byId = new Map(all.map((box) => [box.id, box]));
      for (const { from, to } of onward) {
        const right = (places.get(from)?.x ?? 0) + (byId.get(from)?.width ?? 0);
        expect(places.get(to)?.x ?? 0).toBeGreaterThanOrEqual(right + 70);
      }
    }),
  );
});

test('W2.05 the same cards come to the same places, in any order of cards and links', () => {
  fc.assert(
    fc.property(graph, ({ boxes: all, links }) => {
      const straight = layeredLayout(all, links);
      const reversed = layeredLayout(all.toReversed(), links.toReversed());
      expect(all.map(({ id }) => reversed.get(id))).toEqual(all.map(({ id }) => straight.get(id)));
    }),
  );
});

test('W2.05 a chain stands in one row, and a fork about the middle of its branches', () => {
  const card = (id: string, y: number): LayoutBox => ({ id, x: 0, y, width: 280, height: 156 });
  const places = layeredLayout(
    [card('a', 0), card('b', 200), card('c', 400), card('d', 600)],
    [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'b', to: 'd' },
    ],
  );
  expect(places.get('a')?.y).toBe(places.get('b')?.y);
  expect(((places.get('c')?.y ?? 0) + (places.get('d')?.y ?? 0)) / 2).toBeCloseTo(places.get('b')?.y ?? -1, 0);
  expect(places.get('b')).toMatchObject({ x: 400 });
});
