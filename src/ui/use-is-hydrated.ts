import { useObserved } from '../state/use-observed.ts';

/** False until this part of a prerendered page is hydrated; always true on a page that was rendered by script. */
export function useIsHydrated(): boolean {
  return useObserved(
    nothing,
    () => true,
    () => false,
  );
}

const nothing = { subscribe: () => () => undefined };
