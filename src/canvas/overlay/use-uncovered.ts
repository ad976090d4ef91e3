import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasView } from '../canvas-view.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { clipAround, coveredParts } from './covered-parts.ts';

/** Clips an element on a card to what no other card covers, during drags too. Without an index it clips nothing. */
export function useUncovered(
  element: RefObject<HTMLElement | null>,
  id: string,
  view: CanvasView | null,
  index: DocumentIndex | null,
): void {
  useLayoutEffect(() => {
    if (!view || !index) return;
    const clip = () => {
      if (element.current) element.current.style.clipPath = clipAround(coveredParts(id, index, view.ephemeral.drag));
    };
    clip();
    const stopIndex = index.changes.subscribe(clip);
    const stopView = view.subscribe((_state, changed) => changed.has('drag') && clip());
    return () => {
      stopIndex();
      stopView();
    };
  }, [element, id, view, index]);
}
