import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it before a popup opened, as soon as it closes. When a popup has faded, what was chosen in it
 * may have taken the focus, and would lose it again: the popup itself is to return none (`finalFocus={false}`).
 */
export function useFocusBack(isOpen: boolean, popup: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  const before = useRef<Element | null>(null);
  // While it is drawn: what is in the popup takes the focus before this component's own effects run.
  if (isOpen && !wasOpen.current) before.current = document.activeElement;
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && before.current instanceof HTMLElement) {
      const { activeElement, body } = document;
      if (activeElement === body || popup.current?.contains(activeElement)) before.current.focus({ preventScroll: true });
    }
    wasOpen.current = isOpen;
  }, [isOpen, popup]);
}
