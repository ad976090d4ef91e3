import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus into a panel when it opens, so that its keys work and screen readers read it, and back when it closes. */
export function useFocusOnOpen(): RefObject<HTMLElement | null> {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    let before: Element | null = null;
    const panel = frame.current;
    // A menu that has just closed gives the focus back to its element in the next frame.
    let asked = requestAnimationFrame(() => {
      asked = requestAnimationFrame(() => {
        before = document.activeElement;
        panel?.focus({ preventScroll: true });
      });
    });
    return () => {
      cancelAnimationFrame(asked);
      const focused = document.activeElement;
      const isLost = focused === null || focused === document.body || panel?.contains(focused);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return frame;
}
