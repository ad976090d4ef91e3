import { type RefObject, useEffect, useRef } from 'react';

/** Returns whether the component is still mounted, for responses that may arrive later. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
