import { type RefObject, useEffect, useRef } from 'react';

/** Returns whether the component is still mounted, for responses that may arrive later. */
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
