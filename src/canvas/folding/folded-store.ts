import type { Patch } from 'immer';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../model/workspace-store.ts';
import { Observable } from '../../state/observable.ts';
import type { CanvasView } from '../canvas-view.ts';
import { touchedAll, touchedBy } from '../geometry/touched.ts';
import { Folding, type ShownChange } from './folding.ts';

/** The workspace as the canvas shows it: with a card in place of each folded group. Without one it is the same as the given store. */
export type FoldedStore = WorkspaceStore & {
  /** Null while no group is folded. */
  readonly folding: Folding | null;
};

const stores = new WeakMap<CanvasView, { of: WorkspaceStore; folded: FoldedStore }>();

/** Returns the store of what a view shows: one for each view, as long as it shows the same workspace. */
export function foldedStore(store: WorkspaceStore, view: CanvasView): FoldedStore {
  const known = stores.get(view);
  if (known?.of === store) return known.folded;
  const folded = new FollowingStore(store, view);
  stores.set(view, { of: store, folded });
  return folded;
}

/** Follows the workspace and the view as long as they exist. */
class FollowingStore implements FoldedStore {
  readonly #store: WorkspaceStore;
  readonly #view: CanvasView;
  readonly #changes = new Observable<[state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier]>();
  #folding: Folding | null = null;
  #document: CanvasDocument | null = null;
  #known: { from: WorkspaceState; shown: WorkspaceState } | null = null;

  constructor(store: WorkspaceStore, view: CanvasView) {
    this.#store = store;
    this.#view = view;
    this.#fold();
    store.subscribe((state, patches, earlier) => this.#follow(state, patches, earlier));
    view.subscribe((_ephemeral, changed) => {
      if (!changed.has('folded')) return;
      this.#fold();
      this.#notifyWhole([]);
    });
  }

  get folding(): Folding | null {
    return this.#folding;
  }

  getState(): WorkspaceState {
    const from = this.#store.getState();
    if (!this.#document) return from;
    if (this.#known?.from !== from) this.#known = { from, shown: { ...from, document: this.#document } };
    return this.#known.shown;
  }

  subscribe(listener: Parameters<WorkspaceStore['subscribe']>[0]): () => void {
    return this.#changes.subscribe(listener);
  }

  #fold(): void {
    const { folded } = this.#view.ephemeral;
    const folding = folded.size === 0 ? null : new Folding(this.#store.getState().document, folded);
    this.#folding = folding?.isEmpty ? null : folding;
    this.#renew();
  }

  /** A new object for the same collections, as the workspace's document is after each change. */
  #renew(): void {
    const folding = this.#folding;
    this.#document = folding && { nodes: folding.nodes, connections: folding.connections };
    this.#known = null;
  }

  #follow(state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier): void {
    const touched = patches ? touchedBy(patches) : touchedAll;
    const isOther = touched.nodes === 'all' || touched.links === 'all' || touched.nodes.size + touched.links.size > 0;
    if (!isOther || (!this.#folding && !this.#mayFold(touched.nodes))) {
      this.#changes.notify(this.getState(), patches, earlier);
      return;
    }
    const change = this.#folding?.update(state.document, touched) ?? null;
    if (!change) {
      const before = this.#folding;
      this.#fold();
      if (!patches) this.#changes.notify(this.getState(), null, earlier);
      else if (before || this.#folding) this.#notifyWhole(patches);
      else this.#changes.notify(this.getState(), patches, earlier);
      return;
    }
    this.#renew();
    this.#changes.notify(this.getState(), [...withoutDocument(patches), ...this.#patches(change)], change.earlier);
  }

  /** Whether a change may bring a folded group back: an undo, or a document that arrives. */
  #mayFold(nodes: ReadonlySet<string> | 'all'): boolean {
    const { folded } = this.#view.ephemeral;
    if (folded.size === 0) return false;
    return nodes === 'all' || [...nodes].some((id) => folded.has(id));
  }

  /** Tells of another document, and of the other parts that have changed. */
  #notifyWhole(patches: readonly Patch[]): void {
    const state = this.getState();
    this.#changes.notify(state, [...withoutDocument(patches), { op: 'replace', path: ['document'], value: state.document }], nothing);
  }

  #patches({ earlier }: ShownChange): Patch[] {
    const { nodes, connections } = this.#document as CanvasDocument;
    return [
      ...[...earlier.nodes.keys()].map((id) => patchOf('nodes', id, nodes[id])),
      ...[...earlier.connections.keys()].map((id) => patchOf('connections', id, connections[id])),
    ];
  }
}

const nothing: Earlier = { nodes: new Map(), connections: new Map() };

function patchOf(collection: 'nodes' | 'connections', id: string, value: unknown): Patch {
  const path = ['document', collection, id];
  return value === undefined ? { op: 'remove', path } : { op: 'replace', path, value };
}

function withoutDocument(patches: readonly Patch[] | null): Patch[] {
  return (patches ?? []).filter(({ path }) => path[0] !== 'document');
}
