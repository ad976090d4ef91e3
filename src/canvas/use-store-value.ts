import type { WorkspaceState } from '../model/workspace-state.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import { useObserved } from '../state/use-observed.ts';

/** Selects a part of the workspace's state, and renders again when it changes. The selector returns parts of the state, never new objects. */
export function useStoreValue<T>(store: WorkspaceStore, select: (state: WorkspaceState) => T): T {
  return useObserved(store, () => select(store.getState()));
}
