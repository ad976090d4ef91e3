import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CanvasMoment, CanvasView } from '../canvas-view.ts';

/** Keeps an element of the overlay's layer on its card's top-left corner, a drag under way included; without a view it stays where it is. */
export function useOnCard(
  element: RefObject<HTMLElement | null>,
  { id, x, y }: Pick<CanvasNode, 'id' | 'x' | 'y'>,
  view: CanvasView | null,
): void {
  useLayoutEffect(() => {
    if (!view) return;
    const place = ({ drag }: CanvasMoment) => {
      const moved = drag?.nodeIds.has(id) && !drag.copies ? drag : null;
      if (element.current) element.current.style.transform = `translate(${x + (moved?.dx ?? 0)}px, ${y + (moved?.dy ?? 0)}px)`;
    };
    place(view.moment);
    return view.subscribe((moment, changed) => changed.has('drag') && place(moment));
  }, [element, id, x, y, view]);
}
