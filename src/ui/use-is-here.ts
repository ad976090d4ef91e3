import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still shown: for answers that may come when it is not. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
