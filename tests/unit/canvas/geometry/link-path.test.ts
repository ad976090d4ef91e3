import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceToLink, type LinkEnd, linkPath, midpointOf, plainCorners, pointAlong } from '../../../../src/canvas/geometry/link-path.ts';

const end = (x: number, y: number) => ({ x, y, top: y - 78, bottom: y + 78 });
const linkCorners = (from: LinkEnd, to: LinkEnd) => points({ points: plainCorners(from, to) });
const points = ({ points: flat }: { points: ArrayLike<number> }) =>
  Array.from({ length: flat.length / 2 }, (_, i) => ({ x: flat[2 * i] as number, y: flat[2 * i + 1] as number }));

test('W9.01 a link between level ports is straight', () => {
  expect(linkCorners(end(280, 78), end(350, 78))).toEqual([
    { x: 280, y: 78 },
    { x: 350, y: 78 },
  ]);
});

test('W9.01 a link turns across the middle with corners of radius 15', () => {
  const path = linkPath(end(0, 0), end(200, 300));
  const straight = 100 - 15 + (300 - 30) + 100 - 15;
  expect(path.length).toBeCloseTo(straight + Math.PI * 15, 0);
  // The corner itself is not on the path: its nearest point is on the arc, (√2 - 1) radii away.
  expect(distanceToLink(path, { x: 100, y: 0 })).toBeCloseTo((Math.SQRT2 - 1) * 15, 0);
  for (const { x, y } of points(path)) {
    const distance = Math.hypot(x - 85, y - 15);
    if (x > 85.01 && y < 14.99) expect(distance).toBeCloseTo(15, 3);
  }
});

test('W9.01 corners shrink where there is no room for their radius', () => {
  const path = linkPath(end(0, 0), end(200, 10));
  for (const { x, y } of points(path)) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(200);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(10);
  }
});

test('W9.01 a link that leads backward leaves its card by 40, runs half-way between both cards, and enters by 40', () => {
  const corners = linkCorners(end(1_000, 118), end(0, 398));
  expect(corners.map(({ x }) => x)).toEqual([1_000, 1_040, 1_040, -40, -40, 0]);
  expect(corners[2]?.y).toBe((118 + 78 + (398 - 78)) / 2);
});

test('W9.01 a backward link between cards side by side goes below both', () => {
  const corners = linkCorners(end(1_000, 118), end(0, 150));
  expect(corners[2]?.y).toBe(150 + 78 + 40);
});

test('W9.01 every link starts and ends at its ports, however they lie', () => {
  const coordinate = fc.integer({ min: -10_000, max: 10_000 });
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, coordinate, (x1, y1, x2, y2) => {
      for (const shape of ['round', 'cut', 'sharp'] as const) {
        const path = linkPath(end(x1, y1), end(x2, y2), shape);
        const all = points(path);
        expect(all[0]).toEqual({ x: x1, y: y1 });
        expect(all[all.length - 1]).toEqual({ x: x2, y: y2 });
        expect(path.length).toBeGreaterThanOrEqual(Math.hypot(x2 - x1, y2 - y1) - 0.01);
      }
    }),
  );
});

test('W2.08 the midpoint is half-way along the link', () => {
  expect(midpointOf(plainCorners(end(0, 0), end(200, 300)))).toEqual({ x: 100, y: expect.closeTo(150, 3) });
  const path = linkPath(end(0, 0), end(100, 0));
  expect(pointAlong(path, 25)).toEqual({ x: 25, y: 0 });
  expect(pointAlong(path, 900)).toEqual({ x: 100, y: 0 });
});
