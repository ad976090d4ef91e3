import { useSyncExternalStore } from 'react';

/** False while a prerendered page waits for this part of its script; true from the beginning where the script drew the page. */
export function useTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

function never(): () => void {
  return () => undefined;
}
