/** Keys that move the focus, or are held with other keys. */
const ignoredKeys = /^(?:Tab|Shift|Control|Alt|Meta|Escape|CapsLock|ContextMenu|F\d+)$/;

/** Returns whether an event on the demonstration's picture starts the demonstration. Links keep their own function. */
export function isStartGesture(event: PointerEvent | WheelEvent | KeyboardEvent): boolean {
  const target = event.target as Element;
  if (target.closest('a[href]')) return false;
  if ('key' in event) return !ignoredKeys.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!target.closest('#still')) return false;
  // The wheel with Ctrl zooms the page.
  if (event.type === 'wheel') return !event.ctrlKey;
  return event.button === 0;
}
