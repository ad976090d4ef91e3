import { useCallback, useSyncExternalStore } from 'react';
import type { Subscribable } from './observable.ts';

/**
 * Selects a value from an observable or store, and renders again when the source notifies and the value has changed. `select` returns
 * a part of the state: a new object at each call would render forever. `prerendered` is the value in markup that a build has rendered.
 */
export function useObserved<T>(source: Subscribable, select: () => T, prerendered: () => T = select): T {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  return useSyncExternalStore(subscribe, select, prerendered);
}
