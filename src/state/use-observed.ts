import { useSyncExternalStore } from 'react';

/** Every observable, and every store that has its `subscribe`. */
export type Subscribable = { subscribe: (listener: () => void) => () => void };

/**
 * Selects a value from an observable or store, and renders again when the source notifies and the value has changed. `select` returns
 * a part of the state: a new object at each call would render forever. `prerendered` is the value in markup that a build has rendered.
 */
export function useObserved<T>(source: Subscribable, select: () => T, prerendered: () => T = select): T {
  return useSyncExternalStore(source.subscribe, select, prerendered);
}
