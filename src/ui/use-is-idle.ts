import { useEffect, useState } from 'react';

/** The time without input after which a user counts as idle (ms). */
export const quietMs = 5_000;
/** A press without any later event counts as ended after this time: the browser lost its end (ms). */
export const lostPressMs = 60_000;

/** Whether the user has neither typed nor used the pointer for a while, and holds no button down. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => followIdle(window, setIdle), []);
  return isIdle;
}

/**
 * Calls `onChange` when a user becomes idle or active. A user who types, turns a wheel, drags, or holds a pointer down is active. A press
 * ends with its `pointerup`. Where that event is missing, it ends with `pointercancel`, lost capture, a move without buttons, a window
 * without focus, or `lostPressMs` without any event. Returns the function that ends it.
 */
export function followIdle(target: EventTarget, onChange: (isIdle: boolean) => void): () => void {
  const pressed = new Set<number>();
  let isIdle = false;
  const tell = (now: boolean) => {
    if (now === isIdle) return;
    isIdle = now;
    onChange(now);
  };
  const becomeIdle = () => {
    pressed.clear();
    tell(true);
  };
  let timer = setTimeout(becomeIdle, quietMs);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(becomeIdle, pressed.size === 0 ? quietMs : lostPressMs);
    tell(false);
  };
  const press = (event: PointerEvent) => {
    pressed.add(event.pointerId);
    restart();
  };
  const release = (event: PointerEvent) => {
    if (pressed.delete(event.pointerId)) restart();
  };
  const move = (event: PointerEvent) => {
    if (event.buttons === 0) release(event);
    else press(event);
  };
  const releaseAll = (event: Event) => {
    // An element that loses the focus fires the same event, and a press moves the focus.
    if (event.target !== target) return;
    pressed.clear();
    restart();
  };
  const listeners = {
    pointerdown: press,
    pointermove: move,
    pointerup: release,
    pointercancel: release,
    lostpointercapture: release,
    blur: releaseAll,
    keydown: restart,
    input: restart,
    wheel: restart,
    dragover: restart,
  };
  const options = { capture: true, passive: true };
  for (const [name, listener] of Object.entries(listeners)) target.addEventListener(name, listener as EventListener, options);
  return () => {
    clearTimeout(timer);
    for (const [name, listener] of Object.entries(listeners)) target.removeEventListener(name, listener as EventListener, options);
  };
}
