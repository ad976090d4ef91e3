import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasView } from '../canvas-view.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { clipAround, coveredParts } from './covered-parts.ts';

/** Leaves of an element on a card only what no other card lies over, also while cards are dragged; all of it without an index. */
export function useUncovered(
  element: RefObject<HTMLElement | null>,
  id: string,
  view: CanvasView | null,
  index: DocumentIndex | null,
): void {
  useLayoutEffect(() => {
    if (!view || !index) return;
    const clip = () => {
      if (element.current) element.current.style.clipPath = clipAround(coveredParts(id, index, view.moment.drag));
    };
    clip();
    const stopIndex = index.changes.subscribe(clip);
    const stopView = view.subscribe((_moment, changed) => changed.has('drag') && clip());
    return () => {
      stopIndex();
      stopView();
    };
  }, [element, id, view, index]);
}
