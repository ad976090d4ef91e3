import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus into a panel when it opens, so that its keys work and screen readers read it. */
export function useFocusOnOpen(): RefObject<HTMLElement | null> {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    // A menu that has just closed gives the focus back to its element in the next frame.
    const asked = requestAnimationFrame(() => requestAnimationFrame(() => frame.current?.focus({ preventScroll: true })));
    return () => cancelAnimationFrame(asked);
  }, []);
  return frame;
}
