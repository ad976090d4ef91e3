import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CanvasMoment, CanvasView } from '../canvas-view.ts';
import { dimsOthers } from '../search-dimming.ts';

/** What is left to be seen of a form while something else is looked for. */
const dimmed = '0.36';

/**
 * Keeps an element of the overlay's layer on its card's top-left corner, a drag under way included, and dims it while a search has found
 * others; without a view it stays where and as it is.
 */
export function useOnCard(
  element: RefObject<HTMLElement | null>,
  { id, x, y }: Pick<CanvasNode, 'id' | 'x' | 'y'>,
  view: CanvasView | null,
): void {
  useLayoutEffect(() => {
    if (!view) return;
    const place = ({ drag, matches }: CanvasMoment) => {
      const moved = drag?.nodeIds.has(id) && !drag.copies ? drag : null;
      if (!element.current) return;
      const { style } = element.current;
      style.transform = `translate(${x + (moved?.dx ?? 0)}px, ${y + (moved?.dy ?? 0)}px)`;
      style.opacity = dimsOthers(matches) && !matches.has(id) ? dimmed : '';
    };
    place(view.moment);
    return view.subscribe((moment, changed) => (changed.has('drag') || changed.has('matches')) && place(moment));
  }, [element, id, x, y, view]);
}
