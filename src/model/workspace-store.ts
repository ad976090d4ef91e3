import type { Patch } from 'immer';
import type { CanvasNode, Connection } from '../../contract/canvas.ts';
import type { WorkspaceState } from './workspace-state.ts';

/** The nodes and links that an update changed, as they were before, by id; undefined for new ones. */
export type Earlier = {
  nodes: ReadonlyMap<string, CanvasNode | undefined>;
  connections: ReadonlyMap<string, Connection | undefined>;
};

/**
 * The page's read-only view of the engine's state. Listeners get the patches that led to the new state; `null` for a whole new
 * state. A returned state never changes, except the two collections of its document. They are updated in place, so that the
 * cost of an edit depends on its size. Their records never change; `earlier` has the replaced ones.
 */
export type WorkspaceStore = {
  getState(): WorkspaceState;
  subscribe(listener: (state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier) => void): () => void;
};
