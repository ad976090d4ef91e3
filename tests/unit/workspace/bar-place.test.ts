import { expect, test } from 'vitest';
import { barPlace } from '../../../src/app/workspace/selection/bar-place.ts';

const window = {
  size: { width: 1_000, height: 700 },
  insets: { top: 50, right: 0, bottom: 100, left: 200, corner: { width: 220, height: 200 } },
};
const bar = { width: 300, height: 40 };
const card = (left: number, top: number, width = 140, height = 80) => ({ left, top, right: left + width, bottom: top + height });

test('D4.21 the bar of a selection stands below its cards, above them where there is no room below, and within the free area', () => {
  expect(barPlace(bar, window, [card(400, 200), card(600, 200)])).toEqual({ x: 420, y: 292 });
  expect(barPlace(bar, window, [card(400, 490), card(600, 490)])).toEqual({ x: 420, y: 438 });
  expect(barPlace(bar, window, [card(210, 200)]).x).toBe(212);
});

test('D4.21 the bar covers no selected card and no panel where any place is free', () => {
  // From the upper edge to the lower one: the bar goes beside them.
  const column = [card(500, 40, 200, 300), card(500, 360, 200, 300)];
  expect(barPlace({ width: 200, height: 40 }, window, column)).toEqual({ x: 212, y: 548 });
  // Below the cards lie the tools.
  expect(barPlace(bar, window, [card(700, 380), card(840, 380)])).toEqual({ x: 688, y: 328 });
  // Cards all over, and one far outside of the view.
  const all = [card(0, 0, 1_000, 700), card(5_000, 5_000)];
  expect(barPlace(bar, window, all)).toEqual({ x: 450, y: 548 });
});
