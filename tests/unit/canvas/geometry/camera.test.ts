import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampZoom, fit as fitted, toScreen, toWorld, visibleWorld, zoomAt } from '../../../../src/canvas/geometry/camera.ts';

const noInsets = { top: 0, right: 0, bottom: 0, left: 0 };

test('W2.06 zooming leaves the world point under the pointer where it is', () => {
  const before = { x: -140, y: 75, zoom: 0.8 };
  const pointer = { x: 613, y: 287 };
  const world = toWorld(before, pointer);
  const after = zoomAt(before, pointer, 2.3);
  expect(after.zoom).toBe(2.3);
  expect(toScreen(after, world).x).toBeCloseTo(pointer.x, 9);
  expect(toScreen(after, world).y).toBeCloseTo(pointer.y, 9);
});

test('W9.01 zoom stays between 0.1 and 3', () => {
  expect(clampZoom(0.02)).toBe(0.1);
  expect(clampZoom(7)).toBe(3);
  expect(clampZoom(1.37)).toBe(1.37);
});

test('R38.01 fitting shows the whole of a large graph, at a smaller zoom than the wheel reaches', () => {
  const bounds = { left: -20_000, top: -4_000, right: 40_000, bottom: 9_000 };
  const size = { width: 1_440, height: 900 };
  const camera = fitted(bounds, size, noInsets);
  expect(camera.zoom).toBeLessThan(0.1);
  const seen = visibleWorld(camera, size);
  expect(seen.left).toBeLessThan(bounds.left);
  expect(seen.right).toBeGreaterThan(bounds.right);
  expect(seen.top).toBeLessThan(bounds.top);
  expect(seen.bottom).toBeGreaterThan(bounds.bottom);
  expect(fitted({ ...bounds, right: 40_000_000 }, size, noInsets).zoom).toBe(0.01);
});

test('W2.05 fitting keeps the graph clear of the panels, and does not enlarge a small graph', () => {
  const bounds = { left: 100, top: 100, right: 380, bottom: 256 };
  const insets = { top: 68, right: 12, bottom: 64, left: 280 };
  const camera = fitted(bounds, { width: 1_440, height: 900 }, insets);
  expect(camera.zoom).toBe(1);
  const centre = toScreen(camera, { x: 240, y: 178 });
  expect(centre.x).toBeCloseTo(280 + (1_440 - 280 - 12) / 2, 9);
  expect(centre.y).toBeCloseTo(68 + (900 - 68 - 64) / 2, 9);
});

test('W2.05 fitting leaves the panels in the corner free, above them or beside them, where more is shown', () => {
  const size = { width: 1_440, height: 900 };
  const edges = { top: 56, right: 0, bottom: 120, left: 268 };
  const insets = { ...edges, corner: { width: 228, height: 203 } };
  const side = fc.integer({ min: 1, max: 9_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: -9_000, max: 9_000 }),
      fc.integer({ min: -9_000, max: 9_000 }),
      side,
      side,
      (left, top, width, height) => {
        const bounds = { left, top, right: left + width, bottom: top + height };
        const camera = fitted(bounds, size, insets);
        const { x, y } = toScreen(camera, { x: bounds.right, y: bounds.bottom });
        expect(x <= 1_440 - 228 || y <= 900 - 203).toBe(true);
        const plain = fitted(bounds, size, edges);
        const end = toScreen(plain, { x: bounds.right, y: bounds.bottom });
        // A graph that does not come near the corner has the same position as without panels there.
        if (end.x <= 1_440 - 228 || end.y <= 900 - 203) expect(camera).toEqual(plain);
        const above = fitted(bounds, size, { ...edges, bottom: 203 });
        const beside = fitted(bounds, size, { ...edges, right: 228 });
        expect(camera.zoom).toBeGreaterThanOrEqual(Math.max(above.zoom, beside.zoom));
      },
    ),
  );
});
