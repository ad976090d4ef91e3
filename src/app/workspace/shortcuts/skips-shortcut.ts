type Key = Pick<KeyboardEvent, 'repeat' | 'isComposing' | 'altKey'> & { target: EventTarget | null };

const writtenIn = 'input:not([type="radio"]), select, textarea, [contenteditable]';

/** Whether a key belongs to the text that is being written and to no shortcut: with Alt a key may write a sign of its own. */
export function skipsShortcut(event: Key): boolean {
  if (event.repeat || event.isComposing) return true;
  const target = event.target as Partial<Element> | null;
  return event.altKey && target?.matches?.(writtenIn) === true;
}
