import type { Patch } from 'immer';
import type { WorkspaceState } from './workspace-state.ts';

/** The page's read-only view of the engine's state. Listeners hear the patches that led to the new state; a new snapshot has none (`null`). */
export type WorkspaceStore = {
  getState(): WorkspaceState;
  subscribe(listener: (state: WorkspaceState, patches: readonly Patch[] | null) => void): () => void;
};
