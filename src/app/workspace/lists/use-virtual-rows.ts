import { type RefCallback, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type RowWindow, rowOffsets, rowWindow } from './row-window.ts';

/** CSS px beyond either edge of the view in which rows are drawn too, and by which the view moves on. */
const margin = 480;
const step = 240;

type VirtualRows = RowWindow & {
  /** The box that scrolls, and what makes it known. */
  box: RefObject<HTMLElement | null>;
  scroller: RefCallback<HTMLElement>;
  /** For each row drawn, where rows differ in height: what is measured is kept by the row's `data-row`. */
  measure: RefCallback<HTMLElement>;
  /** Scrolls as little as brings a row wholly into view. */
  reveal: (index: number) => void;
};

/**
 * Draws of a long list what is near the view. `rowHeight` (CSS px) is every row's height, or with `keyOf`, which names a row for
 * good, what one is taken for until it was measured.
 */
export function useVirtualRows(count: number, rowHeight: number, keyOf?: (index: number) => string): VirtualRows {
  const element = useRef<HTMLElement | null>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const heights = useRef(new Map<string, number>());
  const [measured, setMeasured] = useState(0);
  const offsets = useMemo(() => {
    // Named, so that what was measured since is looked up again.
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
