import { type RefObject, useEffect } from 'react';

const controls = 'button:not(:disabled), [href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Keeps the focus inside an element: when the focused control is removed or disabled, the first one that is left gets the focus. */
export function useKeptFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let hasFocus = element.contains(document.activeElement);
    let asked = 0;
    const taken = () => {
      hasFocus = true;
    };
    const left = ({ target }: FocusEvent) => {
      // A control that is removed or disabled loses the focus without another one getting it.
      if (target instanceof HTMLElement && target.isConnected && !target.matches(':disabled')) hasFocus = false;
    };
    const check = () => {
      if (!hasFocus || document.activeElement !== document.body) return;
      element.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
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
  }, [frame]);
}
