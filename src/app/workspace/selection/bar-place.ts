import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { containsBox, overlaps, type Point, type Rect } from '../../../canvas/geometry/camera.ts';
import { unionBox } from '../../../canvas/geometry/document-bounds.ts';
import { freeView } from '../camera/free-view.ts';

/** The space between the bar and the cards or panels (CSS px). */
const gap = 12;

/**
 * Returns where the bar of a selection stands (CSS px): below its cards, else above them, else at an edge of the free area where it covers none.
 * Where there is no such place, it is at the lower edge. `cards`: the boxes of the cards on the screen.
 */
export function barPlace(
  bar: { width: number; height: number },
  { size, insets }: Pick<EphemeralState, 'size' | 'insets'>,
  cards: readonly Rect[],
): Point {
  const { left, top, right, bottom } = freeView({ size, insets });
  const free = { left: left + gap, top: top + gap, right: right - gap, bottom: bottom - gap };
  const corner = { left: size.width - (insets.corner?.width ?? 0), top: size.height - (insets.corner?.height ?? 0), right, bottom };
  const seen = cards.filter((card) => overlaps(card, free));
  const middle = (box: Rect) => Math.min(free.right - bar.width, Math.max(free.left, (box.left + box.right - bar.width) / 2));
  const all = seen.reduce<Rect | null>(unionBox, null);
  const lower = free.bottom - bar.height;
  const places = [
    ...(all
      ? [
          { x: middle(all), y: all.bottom + gap },
          { x: middle(all), y: all.top - gap - bar.height },
        ]
      : []),
    ...[lower, free.top].flatMap((y) => [middle(free), free.left, free.right - bar.width].map((x) => ({ x, y }))),
  ];
  const isClear = ({ x, y }: Point) => {
    const box = { left: x, top: y, right: x + bar.width, bottom: y + bar.height };
    return containsBox(free, box) && !overlaps(box, corner) && !seen.some((card) => overlaps(box, card));
  };
  return places.find(isClear) ?? { x: middle(free), y: lower };
}
