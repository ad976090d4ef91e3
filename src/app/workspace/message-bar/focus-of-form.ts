/** The text box of a form that had the focus last, with its dialog. */
let last: { box: HTMLTextAreaElement; nodeId: string } | null = null;

/** Remembers which text box of a form has the focus. Returns the function that ends it. */
export function followFormFocus(): () => void {
  const remember = ({ target }: FocusEvent) => {
    const form = target instanceof HTMLTextAreaElement ? target.closest<HTMLElement>('[data-dialog-id]') : null;
    last = form && target instanceof HTMLTextAreaElement ? { box: target, nodeId: form.dataset.dialogId ?? '' } : null;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** Gives the focus and the caret of a dialog's form that has just gone to the box of the bar, so that typing goes on. */
export function takeFocusOfForm(box: HTMLTextAreaElement | null, nodeId: string): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (!box || !isLost || last?.nodeId !== nodeId || last.box.isConnected) return;
  const { selectionStart, selectionEnd } = last.box;
  last = null;
  box.focus({ preventScroll: true });
  box.setSelectionRange(selectionStart, selectionEnd);
}

/** Gives the focus and the caret of the bar, which goes, to the form that takes its place, if it had the focus. */
export function giveFocusToForm(box: HTMLTextAreaElement | null, nodeId: string): void {
  if (!box || document.activeElement !== box) return;
  const { selectionStart, selectionEnd } = box;
  // The form is mounted before the next frame.
  requestAnimationFrame(() => {
    const form = document.querySelector<HTMLTextAreaElement>(`[data-dialog-id="${CSS.escape(nodeId)}"] textarea`);
    form?.focus({ preventScroll: true });
    form?.setSelectionRange(selectionStart, selectionEnd);
  });
}
