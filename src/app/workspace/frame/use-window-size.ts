import { useObserved } from '../../../state/use-observed.ts';

/** The window size for prerendering. */
const prerendered = { width: 1_440, height: 900 };
let last = { width: 0, height: 0 };

/** Returns the size of the window (CSS px). */
export function useWindowSize(): { width: number; height: number } {
  return useObserved(resizes, read, () => prerendered);
}

function read(): { width: number; height: number } {
  if (last.width !== innerWidth || last.height !== innerHeight) last = { width: innerWidth, height: innerHeight };
  return last;
}

const resizes = {
  subscribe: (listener: () => void) => {
    addEventListener('resize', listener);
    return () => removeEventListener('resize', listener);
  },
};
