import { type RefCallback, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type RowWindow, rowOffsets, rowWindow } from './row-window.ts';

/** The distance beyond the view in which rows are rendered too, and by which the view moves on (CSS px). */
const margin = 480;
const step = 240;

type VirtualRows = RowWindow & {
  /** The scrolling box, and its ref. */
  box: RefObject<HTMLElement | null>;
  scroller: RefCallback<HTMLElement>;
  /** For rows of different heights: attach to each row; the height is stored by its `data-row`. */
  measure: RefCallback<HTMLElement>;
  /** Scrolls by the least distance that shows a row whole. */
  reveal: (index: number) => void;
};

/**
 * Renders the rows of a long list near the view. `rowHeight` (CSS px) is every row's height; with `keyOf`, which identifies a row,
 * it is the estimate before a row is measured.
 */
export function useVirtualRows(count: number, rowHeight: number, keyOf?: (index: number) => string): VirtualRows {
  const element = useRef<HTMLElement | null>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const heights = useRef(new Map<string, number>());
  const [measured, setMeasured] = useState(0);
  const offsets = useMemo(() => {
    // By key, so that measured heights are found again.
    void measured;
    return rowOffsets(count, (index) => (keyOf ? (heights.current.get(keyOf(index)) ?? rowHeight) : rowHeight));
  }, [count, rowHeight, keyOf, measured]);

  const look = useCallback(() => {
    const box = element.current;
    if (!box) return;
    const top = Math.floor(box.scrollTop / step) * step;
    const height = box.clientHeight + step;
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  }, []);
  const scroller = useCallback<RefCallback<HTMLElement>>(
    (box) => {
      element.current = box;
      if (!box) return;
      const resized = new ResizeObserver(look);
      resized.observe(box);
      box.addEventListener('scroll', look, { passive: true });
      look();
      return () => {
        resized.disconnect();
        box.removeEventListener('scroll', look);
        element.current = null;
      };
    },
    [look],
  );

  const [rowObserver] = useState(
    () =>
      new ResizeObserver((entries) => {
        let changed = false;
        for (const { target, borderBoxSize } of entries) {
          const key = (target as HTMLElement).dataset.row;
          const height = borderBoxSize[0]?.blockSize ?? 0;
          if (key === undefined || height === 0 || heights.current.get(key) === height) continue;
          heights.current.set(key, height);
          changed = true;
        }
        if (changed) setMeasured((times) => times + 1);
      }),
  );
  useEffect(() => () => rowObserver.disconnect(), [rowObserver]);
  const measure = useCallback<RefCallback<HTMLElement>>(
    (row) => {
      if (!row) return;
      rowObserver.observe(row);
      return () => rowObserver.unobserve(row);
    },
    [rowObserver],
  );

  const reveal = useCallback(
    (index: number) => {
      const box = element.current;
      if (!box || index < 0 || index >= count) return;
      const [from, to] = [offsets[index] as number, offsets[index + 1] as number];
      if (from < box.scrollTop) box.scrollTop = from;
      else if (to > box.scrollTop + box.clientHeight) box.scrollTop = to - box.clientHeight;
    },
    [offsets, count],
  );
  return { ...rowWindow(offsets, view.top, view.height, margin), box: element, scroller, measure, reveal };
}
