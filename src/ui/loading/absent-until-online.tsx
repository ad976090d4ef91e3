import { useLayoutEffect } from 'react';
import type { NotLoadedProps } from './lazy-part.tsx';

/** In the place of a small part that did not load: nothing, until the browser is online again. */
export function AbsentUntilOnline({ retry }: Pick<NotLoadedProps, 'retry'>) {
  // Before the page shows it: an event in between would be missed.
  useLayoutEffect(() => {
    const again = () => void retry();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [retry]);
  return null;
}
