import { useCallback, useSyncExternalStore } from 'react';
import type { WorkspaceState } from '../model/workspace-state.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';

/** What a selector takes out of the workspace; draws anew when that is another value. The selector returns parts of the state, never new objects. */
export function useStoreValue<T>(store: WorkspaceStore, select: (state: WorkspaceState) => T): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const read = () => select(store.getState());
  return useSyncExternalStore(subscribe, read, read);
}
