/** What lies over the page: what has the focus there goes away with it. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

let last: WeakRef<HTMLElement> | null = null;

if (typeof document !== 'undefined')
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLElement && !target.closest(overlays)) last = new WeakRef(target);
    },
    { capture: true },
  );

/**
 * Returns the element that gets the focus when a dialog closes: the one that had it outside of dialogs and menus. If it was removed meanwhile,
 * as the button of a question that is answered, the first part of the page that can have it; true where there is none: the dialog decides.
 */
export function focusOutside(): HTMLElement | true {
  const before = last?.deref();
  if (before?.isConnected && !before.matches(':disabled')) return before;
  return document.querySelector<HTMLElement>('main [tabindex="0"]') ?? true;
}
