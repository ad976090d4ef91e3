import { type RefObject, useEffect } from 'react';

const controls = 'button:not(:disabled), [href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * Keeps the focus inside an element: when the focused control is removed or disabled, the first one that is left gets the focus. Controls
 * below an element that matches `apart` (a CSS selector) neither give nor get it.
 */
export function useKeptFocus(frame: RefObject<HTMLElement | null>, apart?: string): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const isOwn = (control: EventTarget | null) =>
      control instanceof Element && element.contains(control) && (apart === undefined || control.closest(apart) === null);
    let hasFocus = isOwn(document.activeElement);
    let asked = 0;
    const taken = ({ target }: FocusEvent) => {
      hasFocus = isOwn(target);
    };
    const left = ({ target }: FocusEvent) => {
      // A control that is removed or disabled loses the focus without another one getting it.
      if (target instanceof HTMLElement && target.isConnected && !target.matches(':disabled')) hasFocus = false;
    };
    const check = () => {
      if (!hasFocus || document.activeElement !== document.body) return;
      [...element.querySelectorAll<HTMLElement>(controls)].find(isOwn)?.focus({ preventScroll: true });
    };
    // The browser takes the focus from a disabled control with the next frame.
    const checkSoon = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => {
        asked = requestAnimationFrame(check);
      });
    };
    const observer = new MutationObserver(checkSoon);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    element.addEventListener('focusin', taken);
    element.addEventListener('focusout', left);
    return () => {
      cancelAnimationFrame(asked);
      observer.disconnect();
      element.removeEventListener('focusin', taken);
      element.removeEventListener('focusout', left);
    };
  }, [frame, apart]);
}
