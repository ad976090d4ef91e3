import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cameraAt, mapFrame, viewInMap } from '../../../../src/app/workspace/minimap/minimap-frame.ts';

const map = { width: 162, height: 98 };
const view = { width: 1_440, height: 900 };
const bounds = { left: -500, top: 0, right: 4_000, bottom: 2_000 };

test('W2.05 the map shows every card, on a canvas of any size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e5, max: 1e5 }),
      fc.integer({ min: 280, max: 1e6 }),
      fc.integer({ min: 68, max: 1e6 }),
      (left, w, h) => {
        const { x, y, scale } = mapFrame({ left, top: left, right: left + w, bottom: left + h }, map);
        expect(left * scale + x).toBeGreaterThanOrEqual(-0.01);
        expect((left + w) * scale + x).toBeLessThanOrEqual(map.width + 0.01);
        expect(left * scale + y).toBeGreaterThanOrEqual(-0.01);
        expect((left + h) * scale + y).toBeLessThanOrEqual(map.height + 0.01);
      },
    ),
  );
});

test("W2.05 the view's frame never leaves the map, and a press on a place brings it to the middle of the view", () => {
  const frame = mapFrame(bounds, map);
  const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(coordinate, coordinate, fc.double({ min: 0.01, max: 3, noNaN: true }), (x, y, zoom) => {
      const box = viewInMap(frame, { x, y, zoom }, view, map);
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(map.width);
      expect(box.bottom).toBeLessThanOrEqual(map.height);
      expect(Math.min(box.right - box.left, box.bottom - box.top)).toBeGreaterThanOrEqual(5.99);
    }),
  );
  const point = { x: 60, y: 40 };
  const camera = cameraAt(frame, point, { x: 0, y: 0, zoom: 1 }, view);
  const box = viewInMap(frame, camera, view, map);
  expect((box.left + box.right) / 2).toBeCloseTo(point.x);
  expect((box.top + box.bottom) / 2).toBeCloseTo(point.y);
});
