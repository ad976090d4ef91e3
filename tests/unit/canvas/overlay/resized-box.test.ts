import { expect, test } from 'vitest';
import { resizedBox } from '../../../../src/canvas/overlay/resize/resized-box.ts';

const box = { x: 100, y: 100, width: 200, height: 160 };

test('W3.01 a handle moves the sides of its own corner or edge and no other side', () => {
  expect(resizedBox(box, { x: 1, y: 1 }, { dx: 30, dy: -20 }, null)).toEqual({ x: 100, y: 100, width: 230, height: 140 });
  expect(resizedBox(box, { x: -1, y: 0 }, { dx: 30, dy: 99 }, null)).toEqual({ x: 130, y: 100, width: 170, height: 160 });
});

test('W3.01 a resize stops at 80 by 60, and the opposite side stays in place', () => {
  expect(resizedBox(box, { x: -1, y: -1 }, { dx: 900, dy: 900 }, null)).toEqual({ x: 220, y: 200, width: 80, height: 60 });
  expect(resizedBox(box, { x: 1, y: 1 }, { dx: -900, dy: -900 }, null)).toEqual({ x: 100, y: 100, width: 80, height: 60 });
});

test('W3.01 a resized side snaps to the grid', () => {
  expect(resizedBox(box, { x: 1, y: 0 }, { dx: 33, dy: 0 }, 20)).toMatchObject({ width: 240 });
});
