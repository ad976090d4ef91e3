/** Moves the focus to the first wrong field of a form. Its label, input and error are then at the top, clear of buttons that stay in view below. */
export function focusFirstWrong(form: HTMLElement | null): void {
  const input = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  input?.focus({ preventScroll: true });
  (input?.closest('[data-field]') ?? input)?.scrollIntoView({ block: 'start' });
}
