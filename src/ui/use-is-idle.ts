import { useEffect, useState } from 'react';

/** How long nothing may have been typed, pressed or turned before a person counts as idle (ms). */
const quietMs = 5_000;

/** Whether the person has neither typed nor used the pointer for a while, and holds no button down. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let pressed = 0;
    let timer = setTimeout(() => setIdle(true), quietMs);
    const restart = () => {
      clearTimeout(timer);
      setIdle(false);
      if (pressed === 0) timer = setTimeout(() => setIdle(true), quietMs);
    };
    const onDown = () => {
      pressed += 1;
      restart();
    };
    const onUp = () => {
      pressed = Math.max(0, pressed - 1);
      restart();
    };
    const listeners = { pointerdown: onDown, pointerup: onUp, pointercancel: onUp, keydown: restart, input: restart, wheel: restart };
    const options = { capture: true, passive: true };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, options);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, options);
    };
  }, []);
  return isIdle;
}
