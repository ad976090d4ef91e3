import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoxTable } from '../../../../src/canvas/geometry/box-table.ts';

const place = fc.oneof(fc.double({ min: -60_000, max: 60_000, noNaN: true }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
const extent = fc.oneof(fc.double({ min: 0, max: 600, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true }));
const box = fc
  .tuple(place, place, extent, extent)
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));
const id = fc.integer({ min: 0, max: 30 }).map(String);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), id, box }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
);

test('W2.05 a search finds boxes that are larger than the largest cell', () => {
  const table = new BoxTable<string>();
  const large = 8_388_608;
  const places: [left: number, right: number, bottom: number][] = [
    [0, large, 0],
    [0, 40_000, 0],
    [0, 0, large],
    [3_388_609, 13_388_607, 0],
  ];
  for (const [at, [left, right, bottom]] of places.entries()) table.set(`${at}`, '', { left, top: 0, right, bottom });
  expect(table.overlapping({ left: 0, top: 0, right: 0, bottom: 0 })).toEqual([2, 1, 0]);
});

test('W2.05 a search finds every overlapping box, the topmost first, for any position and size', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(fc.tuple(box, fc.constantFrom(0, 11)), { maxLength: 8 }), (steps, searches) => {
      const table = new BoxTable<string>();
      for (const next of steps) {
        if (next.kind === 'set') table.set(next.id, next.id, next.box);
        else if (next.kind === 'remove') table.remove(next.id);
        else table.clear();
      }
      for (const [area, margin] of searches) {
        const expected = table.records.flatMap((record, slot) => {
          if (record === null) return [];
          const { left, top, right, bottom } = table.box(slot);
          const apart =
            left > area.right + margin || right < area.left - margin || top > area.bottom + margin || bottom < area.top - margin;
          return apart ? [] : [slot];
        });
        expect(table.overlapping(area, margin)).toEqual(expected.reverse());
      }
    }),
    { numRuns: 300 },
  );
});
