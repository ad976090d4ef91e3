import type { Patch } from 'immer';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../model/workspace-store.ts';
import { memoizeByKey } from '../../state/memoize-by-key.ts';
import { Observable } from '../../state/observable.ts';
import type { CanvasView } from '../canvas-view.ts';
import type { Folding } from './folding.ts';

type Update = [state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier];

/** What shows the document with folded groups. It is loaded once a group is folded. */
export type Folder = {
  readonly folding: Folding | null;
  getState(): WorkspaceState;
  /** Converts an update of the workspace into one of what is shown. */
  follow(...update: Update): Update;
  /** Follows which groups the view folds. */
  fold(): Update;
};

/** The workspace as the canvas shows it: with a card in place of each folded group. Without one it is the same as the given store. */
export class FoldedStore implements WorkspaceStore {
  readonly source: WorkspaceStore;
  readonly view: CanvasView;
  readonly #changes = new Observable<Update>();
  #folder: Folder | null = null;

  constructor(source: WorkspaceStore, view: CanvasView) {
    this.source = source;
    this.view = view;
    source.subscribe((...update) => this.#changes.notify(...(this.#folder?.follow(...update) ?? update)));
    view.subscribe((_ephemeral, changed) => changed.has('folded') && this.#fold());
  }

  /** Null while no group is folded. */
  get folding(): Folding | null {
    return this.#folder?.folding ?? null;
  }

  getState(): WorkspaceState {
    return this.#folder?.getState() ?? this.source.getState();
  }

  subscribe(listener: (...update: Update) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** From now on the folder shows what the view folds. */
  install(folder: Folder): void {
    this.#folder = folder;
    this.#fold();
  }

  #fold(): void {
    if (this.#folder) this.#changes.notify(...this.#folder.fold());
  }
}

const stores = memoizeByKey((view: CanvasView) => memoizeByKey((source: WorkspaceStore) => new FoldedStore(source, view)));

/** Returns the store of what a view shows of a workspace. */
export function foldedStore(source: WorkspaceStore, view: CanvasView): FoldedStore {
  return stores(view)(source);
}
