import { useObserved } from '../state/use-observed.ts';

/** False while a prerendered page waits for this part of its script; true from the beginning where the script drew the page. */
export function useTakenOver(): boolean {
  return useObserved(
    nothing,
    () => true,
    () => false,
  );
}

const nothing = { subscribe: () => () => undefined };
