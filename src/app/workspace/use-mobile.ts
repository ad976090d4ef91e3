import { useObserved } from '../../state/use-observed.ts';

/** The workspace lays itself out for a phone at this width or less, CSS px. W2.04 */
export const mobileMaxWidth = 1_024;

const query = `(max-width: ${mobileMaxWidth}px)`;

export function useMobile(): boolean {
  return useObserved(widthLimit, () => matchMedia(query).matches);
}

const widthLimit = {
  subscribe: (listener: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  },
};
