import type { Patch } from 'immer';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../model/workspace-store.ts';
import type { CanvasView } from '../canvas-view.ts';
import { touchedAll, touchedBy } from '../geometry/touched.ts';
import type { FoldWords } from './fold-words.ts';
import type { Folder } from './folded-store.ts';
import { Folding, type ShownChange } from './folding.ts';

type Update = ReturnType<Folder['follow']>;

/** Shows a workspace with the groups of a view folded. `words`: in the language of the interface. */
export function createFolder(store: WorkspaceStore, view: CanvasView, words: FoldWords): Folder {
  return new FollowingFolder(store, view, words);
}

class FollowingFolder implements Folder {
  readonly #store: WorkspaceStore;
  readonly #view: CanvasView;
  readonly #words: FoldWords;
  #folding: Folding | null = null;
  #document: CanvasDocument | null = null;
  #known: { from: WorkspaceState; shown: WorkspaceState } | null = null;

  constructor(store: WorkspaceStore, view: CanvasView, words: FoldWords) {
    this.#store = store;
    this.#view = view;
    this.#words = words;
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

  /** Selected cards that are no longer shown give way to their group. */
  fold(): Update {
    this.#refold();
    const folding = this.#folding;
    if (folding) {
      const selectedNodes = new Set([...this.#view.ephemeral.selectedNodes].map((id) => folding.shownAs(id)));
      const selectedLinks = new Set([...this.#view.ephemeral.selectedLinks].filter((id) => folding.lineOf(id) === id));
      this.#view.update({ selectedNodes, selectedLinks, hover: null, linkSettings: null });
    }
    return this.#whole([]);
  }

  follow(state: WorkspaceState, patches: readonly Patch[] | null, earlier: Earlier): Update {
    const touched = patches ? touchedBy(patches) : touchedAll;
    const isOther = touched.nodes === 'all' || touched.links === 'all' || touched.nodes.size + touched.links.size > 0;
    if (!isOther || (!this.#folding && !this.#mayFold(touched.nodes))) return [this.getState(), patches, earlier];
    const change = this.#folding?.update(state.document, touched) ?? null;
    if (change) {
      this.#renew();
      this.#deselectHidden();
      return [this.getState(), [...withoutDocument(patches), ...this.#patches(change)], change.earlier];
    }
    const before = this.#folding;
    this.#refold();
    return patches && (before || this.#folding) ? this.#whole(patches) : [this.getState(), patches, earlier];
  }

  /** A card that goes into a folded group is no longer selected: a key would change what is not seen. */
  #deselectHidden(): void {
    const { selectedNodes } = this.#view.ephemeral;
    const shown = [...selectedNodes].filter((id) => this.#folding?.shownAs(id) === id);
    if (shown.length < selectedNodes.size) this.#view.update({ selectedNodes: new Set(shown) });
  }

  #refold(): void {
    const { folded } = this.#view.ephemeral;
    const folding = folded.size === 0 ? null : new Folding(this.#store.getState().document, folded, this.#words);
    this.#folding = folding?.isEmpty ? null : folding;
    this.#renew();
  }

  /** A new object for the same collections, as the workspace's document is after each change. */
  #renew(): void {
    const folding = this.#folding;
    this.#document = folding && { nodes: folding.nodes, connections: folding.connections };
    this.#known = null;
  }

  /** Whether a change may bring a folded group back: an undo, or a document that arrives. */
  #mayFold(nodes: ReadonlySet<string> | 'all'): boolean {
    const { folded } = this.#view.ephemeral;
    if (folded.size === 0) return false;
    return nodes === 'all' || [...nodes].some((id) => folded.has(id));
  }

  /** Tells of another document, and of the other parts that have changed. */
  #whole(patches: readonly Patch[]): Update {
    const state = this.getState();
    return [state, [...withoutDocument(patches), { op: 'replace', path: ['document'], value: state.document }], nothing];
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
