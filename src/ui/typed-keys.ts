type ComposedKey = { isComposing?: boolean; keyCode?: number };
type Key = ComposedKey & { key: string; ctrlKey: boolean; metaKey: boolean };
/** A key event of the browser, or React's with the browser's inside. */
type Pressed<K> = K & { nativeEvent?: ComposedKey };

/** The code of a key that an input method takes. */
const takenByInputMethod = 229;

/**
 * Whether a key belongs to the composition of a text, as in Chinese, Japanese or Korean. Safari ends a composition before its last Enter:
 * that key says no longer that it composes, and has only the code of an input method.
 */
export function isComposing(event: Pressed<ComposedKey>): boolean {
  const { isComposing, keyCode } = event.nativeEvent ?? event;
  return isComposing === true || keyCode === takenByInputMethod;
}

/** Whether the key is an Enter that the user means, not the end of a composition. G8.34 */
export function isEnter(event: Pressed<Key>): boolean {
  return event.key === 'Enter' && !isComposing(event);
}

/** Whether the key sends a text of several lines: Enter with Ctrl, or with Command. */
export function isSendKey(event: Pressed<Key>): boolean {
  return isEnter(event) && (event.ctrlKey || event.metaKey);
}
