import { expect, test } from 'vitest';
import { keepClear } from '../../../src/ui/controls/overlays/keep-clear.ts';

const at = { x: 400, y: 300 };
const menu = { width: 240, height: 500 };
const sides = ['right', 'left', 'top', 'bottom'] as const;

/** The box of a menu on a side of its place, with its first edges at the place. */
function boxOn(side: string, offset: number) {
  const left = side === 'right' ? at.x + offset : side === 'left' ? at.x - offset - menu.width : at.x;
  const top = side === 'bottom' ? at.y + offset : side === 'top' ? at.y - offset - menu.height : at.y;
  return { left, top, right: left + menu.width, bottom: top + menu.height };
}

test('D2.01 a menu opens away from the point that it keeps clear of, and covers it on no side', () => {
  for (const [x, y] of [
    [100, 300],
    [300, 300],
    [390, 300],
    [401, 300],
    [480, 320],
    [395, 290],
    [420, 700],
    [420, 10],
  ] as const) {
    const { side, sideOffset } = keepClear(at, { x, y });
    expect(side).toBe(x > at.x ? 'left' : 'right');
    for (const on of sides) {
      const { left, top, right, bottom } = boxOn(on, sideOffset({ side: on, positioner: menu }));
      const covers = x >= left - 11 && x <= right + 11 && y >= top - 11 && y <= bottom + 11;
      expect(covers, `${x}, ${y}, ${on}`).toBe(false);
    }
  }
});

test('W2.06 a menu stands right beside its place where nothing is under it', () => {
  const beside = (of: { x: number; y: number } | undefined, side: string) => keepClear(at, of).sideOffset({ side, positioner: menu });
  expect(keepClear(at, undefined).side).toBe('right');
  expect(beside(undefined, 'left')).toBe(2);
  expect(beside({ x: 300, y: 300 }, 'right')).toBe(2);
  // Further away than the menu is wide.
  expect(beside({ x: 100, y: 300 }, 'left')).toBe(2);
});
