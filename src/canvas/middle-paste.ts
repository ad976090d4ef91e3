/** A browser pastes within this time after the button is released (ms). */
const pasteWithinMs = 500;

/**
 * Takes back what the middle button pastes after a press in `element`: on Linux browsers paste the selected text of any program when it is
 * released, into the canvas or a field that has the focus. Only the event of the paste itself can be stopped. Keys paste as ever.
 */
export function stopMiddlePaste(element: EventTarget, page: EventTarget, signal: AbortSignal): void {
  let isPressed = false;
  let releasedAt: number | null = null;
  const options = { signal, capture: true };
  const listen = <E extends Event>(target: EventTarget, type: string, listener: (event: E) => void) =>
    target.addEventListener(type, listener as (event: Event) => void, options);

  listen(page, 'pointerdown', () => {
    releasedAt = null;
  });
  listen<PointerEvent>(element, 'pointerdown', ({ button }) => {
    if (button === 1) isPressed = true;
  });
  const release = ({ timeStamp }: Event) => {
    if (!isPressed) return;
    isPressed = false;
    releasedAt = timeStamp;
  };
  // Of several buttons only the last one that is released is told.
  listen<PointerEvent>(page, 'pointerup', (event) => (event.button === 1 || event.buttons === 0) && release(event));
  listen(page, 'pointercancel', release);
  listen(page, 'keydown', () => {
    releasedAt = null;
  });
  listen(page, 'paste', (event) => {
    const isOfButton = isPressed || (releasedAt !== null && event.timeStamp - releasedAt < pasteWithinMs);
    if (!isOfButton) return;
    releasedAt = null;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}
