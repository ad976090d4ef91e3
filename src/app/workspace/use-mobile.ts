import { useObserved } from '../../state/use-observed.ts';
import { mobileQuery } from './mobile-query.ts';

/** Returns whether the workspace has the layout of a phone. W2.04 */
export function useMobile(): boolean {
  return useObserved(widthLimit, () => matchMedia(mobileQuery).matches);
}

const widthLimit = {
  subscribe: (listener: () => void) => {
    const list = matchMedia(mobileQuery);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  },
};
