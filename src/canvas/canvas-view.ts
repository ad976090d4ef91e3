import { Observable, type Subscribable } from '../state/observable.ts';
import type { ComparisonOnCanvas } from './comparison-on-canvas.ts';
import type { Camera, Insets, Point } from './geometry/camera.ts';
import type { LayoutTween } from './geometry/layout-tween.ts';
import type { Guide } from './geometry/snap.ts';

/** `part`: on the chevron of a group, or on the foot of a card that is done. */
export type Hover =
  | { kind: 'node'; id: string; part?: 'foldSign' | 'foot' }
  | { kind: 'port'; id: string; port: 'in' | 'out' }
  | { kind: 'link'; id: string };

/** State of this page alone, such as camera, selection and gesture previews. It is neither saved in the document nor undone. */
export type EphemeralState = {
  camera: Camera;
  /** CSS px of the canvas element. */
  size: { width: number; height: number };
  /** The size that panels cover at each side, CSS px. Fitting the view keeps clear of it. */
  insets: Insets;
  selectedNodes: ReadonlySet<string>;
  selectedLinks: ReadonlySet<string>;
  hover: Hover | null;
  /** Where the pointer came to what it hovers (world px). */
  hoverAt: Point | null;
  /** The note or group that is being resized, with the box that it would get (world px). */
  resize: { id: string; x: number; y: number; width: number; height: number } | null;
  /** The node whose name is being edited, or the note whose text is. */
  editing: string | null;
  /** The link whose settings are open. */
  linkSettings: string | null;
  /** The current drag: its distance in world px. A drag of `copies` leaves the nodes themselves in place. */
  drag: { nodeIds: ReadonlySet<string>; dx: number; dy: number; copies?: boolean } | null;
  /** The tween that moves cards to their new places after a layout. */
  layoutTween: LayoutTween | null;
  /** Alignment guides of the current drag. */
  guides: readonly Guide[];
  /** Cards that the current search has found. */
  matches: ReadonlySet<string> | null;
  /** What differs from an earlier version; null while none is compared. */
  comparison: ComparisonOnCanvas | null;
  /** Colours over cards, by node id. */
  tints: ReadonlyMap<string, CardTint> | null;
  /** A link that is being drawn from a node's out port to a world point, or to the in port of `over`. `isBackwards`: from the in port. */
  linkDraft: { from: string; x: number; y: number; over: string | null; isBackwards?: true } | null;
  /** The selection marquee between two opposite corners, world px. */
  marquee: { from: Point; to: Point } | null;
  mode: CanvasMode;
  /** Whether the cards are listed with the dialogs' forms, since the canvas cannot be drawn. */
  isListed: boolean;
  /** Whether dragged cards snap to the grid. */
  snaps: boolean;
  /** The groups that are folded, by id. Groups of other canvases, and removed ones, may be among them. */
  folded: ReadonlySet<string>;
};

/** What a colour over a card says of it: in a fork that is planned, or in two runs that are compared. */
export type CardTint = 'kept' | 'again' | 'changed' | 'added' | 'removed';

/** The action of a left drag on empty canvas: `hand` pans, `select` draws a marquee. */
export type CanvasMode = 'hand' | 'select';

export type EphemeralKey = keyof EphemeralState;

/** Holds the state of the view, and notifies synchronously of its changed parts. */
export class CanvasView extends Observable<[ephemeral: EphemeralState, changed: ReadonlySet<EphemeralKey>]> {
  /** Disables all animation. The user's setting for motion does not count. Benchmarks use it. */
  isStatic: boolean;
  /** Notifies after each frame that the scene has drawn: with the ephemeral state of that time. */
  readonly drawn = new Observable();
  #ephemeral: EphemeralState = {
    camera: { x: 0, y: 0, zoom: 1 },
    size: { width: 0, height: 0 },
    insets: { top: 0, right: 0, bottom: 0, left: 0 },
    selectedNodes: new Set(),
    selectedLinks: new Set(),
    hover: null,
    hoverAt: null,
    matches: null,
    comparison: null,
    tints: null,
    resize: null,
    editing: null,
    linkSettings: null,
    drag: null,
    layoutTween: null,
    guides: [],
    linkDraft: null,
    marquee: null,
    mode: 'hand',
    isListed: false,
    snaps: false,
    folded: new Set(),
  };

  constructor({ still = false }: { still?: boolean } = {}) {
    super();
    this.isStatic = still;
  }

  get ephemeral(): EphemeralState {
    return this.#ephemeral;
  }

  /** Sets parts of the state. A part with the same object or value as before counts as unchanged. */
  update(changes: Partial<EphemeralState>): void {
    const changed = new Set<EphemeralKey>();
    for (const key of Object.keys(changes) as EphemeralKey[]) {
      if (changes[key] !== this.#ephemeral[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.#ephemeral = { ...this.#ephemeral, ...changes };
    this.notify(this.#ephemeral, changed);
  }

  /** Notifies of changes of these parts only. */
  partsOf(...keys: EphemeralKey[]): Subscribable {
    return { subscribe: (listener) => this.subscribe((_state, changed) => keys.some((key) => changed.has(key)) && listener()) };
  }
}
