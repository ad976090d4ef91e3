type Key = Pick<KeyboardEvent, 'repeat' | 'isComposing' | 'altKey'> & { target: EventTarget | null };

const writtenIn = 'input:not([type="radio"]), select, textarea, [contenteditable]';

/** Returns whether a key types text, so that it triggers no shortcut. With Alt a key may type a special character. */
export function skipsShortcut(event: Key): boolean {
  if (event.repeat || event.isComposing) return true;
  const target = event.target as Partial<Element> | null;
  return event.altKey && target?.matches?.(writtenIn) === true;
}
