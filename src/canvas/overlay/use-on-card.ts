import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CanvasView, EphemeralState } from '../canvas-view.ts';
import { tweenOffset } from '../geometry/layout-tween.ts';
import { dimsOthers } from '../search-dimming.ts';
import { followDrawn } from './follow-drawn.ts';

/** Opacity of a form whose card the current search has not found. */
const dimmed = '0.36';
const following = ['drag', 'layoutTween', 'matches', 'hover'] as const;

/**
 * Keeps an element of the overlay at its card's top-left corner, also during drags and layout tweens. Dims it while a search has found
 * other cards, and says whether the pointer is on its card. Without a view it changes nothing.
 */
export function useOnCard(
  element: RefObject<HTMLElement | null>,
  { id, x, y }: Pick<CanvasNode, 'id' | 'x' | 'y'>,
  view: CanvasView | null,
): void {
  useLayoutEffect(() => {
    if (!view) return;
    const place = ({ drag, layoutTween, matches, hover }: EphemeralState) => {
      const moved = drag?.nodeIds.has(id) && !drag.copies ? drag : null;
      const off = tweenOffset(layoutTween, id);
      if (!element.current) return;
      const { style } = element.current;
      style.transform = `translate(${x + off.x + (moved?.dx ?? 0)}px, ${y + off.y + (moved?.dy ?? 0)}px)`;
      element.current.toggleAttribute('data-hovered', hover !== null && hover.kind !== 'link' && hover.id === id);
      style.opacity = dimsOthers(matches) && !matches.has(id) ? dimmed : '';
    };
    return followDrawn(view, following, place);
  }, [element, id, x, y, view]);
}
