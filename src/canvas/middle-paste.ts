import type { Point } from './geometry/camera.ts';

/** The middle button has panned once its pointer is so far from where it was pressed (CSS px). */
const panPx = 3;
/** A browser pastes within this time after the button is released (ms). */
const pasteWithinMs = 500;

/**
 * Takes back what the middle button pastes after a pan that has begun in `element`: on Linux browsers paste the selected text of any program when it is
 * released, into the canvas or a field that has the focus. Only the event of the paste itself can be stopped. A click without a pan, and keys, paste as ever.
 */
export function stopMiddlePaste(element: EventTarget, page: EventTarget, signal: AbortSignal): void {
  let pressed: Point | null = null;
  let isPanned = false;
  let releasedAt: number | null = null;
  const options = { signal, capture: true };
  const listen = <E extends Event>(target: EventTarget, type: string, listener: (event: E) => void) =>
    target.addEventListener(type, listener as (event: Event) => void, options);

  listen(page, 'pointerdown', () => {
    releasedAt = null;
  });
  listen<PointerEvent>(element, 'pointerdown', ({ button, clientX, clientY }) => {
    if (button !== 1) return;
    pressed = { x: clientX, y: clientY };
    isPanned = false;
  });
  listen<PointerEvent>(page, 'pointermove', ({ clientX, clientY }) => {
    if (pressed && Math.hypot(clientX - pressed.x, clientY - pressed.y) > panPx) isPanned = true;
  });
  const release = ({ timeStamp }: Event) => {
    if (!pressed) return;
    pressed = null;
    releasedAt = isPanned ? timeStamp : null;
  };
  // Of several buttons only the last one that is released is told.
  listen<PointerEvent>(page, 'pointerup', (event) => (event.button === 1 || event.buttons === 0) && release(event));
  listen(page, 'pointercancel', release);
  listen(page, 'keydown', () => {
    releasedAt = null;
  });
  listen(page, 'paste', (event) => {
    const isOfPan = pressed ? isPanned : releasedAt !== null && event.timeStamp - releasedAt < pasteWithinMs;
    if (!isOfPan) return;
    releasedAt = null;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}
