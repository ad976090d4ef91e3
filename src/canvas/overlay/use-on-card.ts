import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CanvasMoment, CanvasView } from '../canvas-view.ts';
import { offPlace } from '../geometry/glide.ts';
import { dimsOthers } from '../search-dimming.ts';

/** What is left to be seen of a form while something else is looked for. */
const dimmed = '0.36';
const following = ['drag', 'glide', 'matches'] as const;

/**
 * Keeps an element of the overlay's layer on its card's top-left corner, a drag or a glide under way included, and dims it while a search has found
 * others; without a view it stays where and as it is.
 */
export function useOnCard(
  element: RefObject<HTMLElement | null>,
  { id, x, y }: Pick<CanvasNode, 'id' | 'x' | 'y'>,
  view: CanvasView | null,
): void {
  useLayoutEffect(() => {
    if (!view) return;
    const place = ({ drag, glide, matches }: CanvasMoment) => {
      const moved = drag?.nodeIds.has(id) && !drag.copies ? drag : null;
      const off = offPlace(glide, id);
      if (!element.current) return;
      const { style } = element.current;
      style.transform = `translate(${x + off.x + (moved?.dx ?? 0)}px, ${y + off.y + (moved?.dy ?? 0)}px)`;
      style.opacity = dimsOthers(matches) && !matches.has(id) ? dimmed : '';
    };
    place(view.moment);
    return view.subscribe((moment, changed) => following.some((key) => changed.has(key)) && place(moment));
  }, [element, id, x, y, view]);
}
