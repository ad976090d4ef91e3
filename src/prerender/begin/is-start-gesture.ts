/** Keys that move through a page or are held with others. */
const passingKeys = /^(?:Tab|Shift|Control|Alt|Meta|Escape|CapsLock|ContextMenu|F\d+)$/;

/** Whether what a visitor does on the demonstration's picture asks for the demonstration. A link leads where it leads. */
export function isStartGesture(event: PointerEvent | WheelEvent | KeyboardEvent): boolean {
  const target = event.target as Element;
  if (target.closest('a[href]')) return false;
  if ('key' in event) return !passingKeys.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!target.closest('#still')) return false;
  // A wheel turned with Control asks for another size of the page.
  if (event.type === 'wheel') return !event.ctrlKey;
  return event.button === 0;
}
