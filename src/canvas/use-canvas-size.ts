import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasView } from './canvas-view.ts';

/** Keeps the view's size that of the element. */
export function useCanvasSize(element: RefObject<HTMLElement | null>, view: CanvasView): void {
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = target;
      const { size } = view.moment;
      if (width !== size.width || height !== size.height) view.update({ size: { width, height } });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, view]);
}
