/** The text box of a form that had the focus last, with its dialog. */
let last: { box: HTMLTextAreaElement; nodeId: string } | null = null;

/** Remembers which text box of a form has the focus. Returns the function that ends it. */
export function followFormFocus(): () => void {
  const remember = ({ target }: { target: EventTarget | null }) => {
    const form = target instanceof HTMLTextAreaElement ? target.closest<HTMLElement>('[data-dialog-id]') : null;
    last = form && target instanceof HTMLTextAreaElement ? { box: target, nodeId: form.dataset.dialogId ?? '' } : null;
  };
  // This part of the page may come after the first form is typed in.
  remember({ target: document.activeElement });
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** Returns the dialog whose form has gone while it was typed in, as long as nothing else has the focus; else null. */
export function lostForm(): string | null {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  return isLost && last && !last.box.isConnected ? last.nodeId : null;
}

/** Gives the focus and the caret of a dialog's form that has gone to the field of the bar, so that typing goes on. */
export function takeFocusOfForm(field: HTMLTextAreaElement | null, nodeId: string): void {
  if (!field || !last || lostForm() !== nodeId) return;
  const { selectionStart, selectionEnd } = last.box;
  last = null;
  field.focus({ preventScroll: true });
  field.setSelectionRange(selectionStart, selectionEnd);
}
