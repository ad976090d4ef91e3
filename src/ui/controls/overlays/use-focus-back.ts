import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to its former element as soon as a popup closes. A chosen action may take the focus while the popup
 * fades, and must keep it: the popup itself must not move it (`finalFocus={false}`).
 */
export function useFocusBack(isOpen: boolean, popup: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  const before = useRef<Element | null>(null);
  // During render: elements in the popup take the focus before this component's own effects run.
  if (isOpen && !wasOpen.current) before.current = document.activeElement;
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && before.current instanceof HTMLElement) {
      const { activeElement, body } = document;
      if (activeElement === body || popup.current?.contains(activeElement)) before.current.focus({ preventScroll: true });
    }
    wasOpen.current = isOpen;
  }, [isOpen, popup]);
}
