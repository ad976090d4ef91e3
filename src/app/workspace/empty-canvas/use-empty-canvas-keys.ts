import { useEffect, useRef } from 'react';

/** Handles the digits from 1 on, unless a text is edited or a dialog is open. */
export function useEmptyCanvasKeys(choices: readonly (() => void)[]): void {
  const latest = useRef(choices);
  latest.current = choices;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable], [role="dialog"], [role="menu"]'))
        return;
      const choice = /^Digit[1-9]$/.test(event.code) ? latest.current[Number(event.code.slice(5)) - 1] : undefined;
      if (!choice) return;
      event.preventDefault();
      choice();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
