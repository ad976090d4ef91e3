import type { Patch } from 'immer';
import type { CanvasNode, Connection } from '../../contract/canvas.ts';
import type { WorkspaceState } from './workspace-state.ts';

/** The nodes and links that an update touched as they were before it, by id; undefined for those that are new. */
export type Earlier = {
  nodes: ReadonlyMap<string, CanvasNode | undefined>;
  connections: ReadonlyMap<string, Connection | undefined>;
};

/**
 * The page's read-only view of the engine's state. Listeners hear the patches that led to the new state; a new snapshot has none
 * (`null`). A state that was handed out never changes, but for the document's two collections: they are always those of now, so
 * that an edit costs what it touches. Their records never change; who needs what a record was before is told by `earlier`.
 */
export type WorkspaceStore = {
  getState(): WorkspaceState;
  subscribe(listener: (state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier) => void): () => void;
};
