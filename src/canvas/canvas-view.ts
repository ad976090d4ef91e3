import { Observable, type Subscribable } from '../state/observable.ts';
import type { Insets, Point } from './geometry/camera.ts';
import type { Glide } from './geometry/glide.ts';
import type { Guide } from './geometry/snap.ts';

/** Screen px = world px * zoom + { x, y }. */
export type Camera = { x: number; y: number; zoom: number };

export type Hover = { kind: 'node'; id: string } | { kind: 'port'; id: string; port: 'in' | 'out' } | { kind: 'link'; id: string };

/** What belongs to the moment and to this page alone: nothing of it is saved in the document or undone. */
export type CanvasMoment = {
  camera: Camera;
  /** CSS px of the canvas element. */
  size: { width: number; height: number };
  /** What panels cover: fitting keeps clear of it. */
  insets: Insets;
  selectedNodes: ReadonlySet<string>;
  selectedLinks: ReadonlySet<string>;
  hover: Hover | null;
  /** A note or group that is being resized, as it would become (world px). */
  resize: { id: string; x: number; y: number; width: number; height: number } | null;
  /** The node whose name, or note whose text, is being written. */
  editing: string | null;
  /** A drag under way, in world px from where the nodes are in the document; of `copies`, the nodes themselves stay there. */
  drag: { nodeIds: ReadonlySet<string>; dx: number; dy: number; copies?: boolean } | null;
  /** Cards that were laid out and are drawn on their way there. */
  glide: Glide | null;
  /** Lines that the drag under way is level with. */
  guides: readonly Guide[];
  /** Cards that are looked for, marked while the search goes on. */
  matches: ReadonlySet<string> | null;
  /** A link being drawn from a node's out port to a world point, or to the in port of `over`. */
  linkDraft: { from: string; x: number; y: number; over: string | null } | null;
  /** A band that selects, being drawn between two opposite corners, world px. */
  band: { from: Point; to: Point } | null;
  mode: CanvasMode;
  /** Whether cards that are dragged come to lie on the grid. */
  snaps: boolean;
};

/** What a left drag on empty canvas does: moves the view, or draws the band that selects. */
export type CanvasMode = 'hand' | 'select';

export type MomentKey = keyof CanvasMoment;

/** Holds the state of the view, and notifies at once which parts of it changed. */
export class CanvasView extends Observable<[moment: CanvasMoment, changed: ReadonlySet<MomentKey>]> {
  /** Whether nothing on the canvas moves by itself: for measuring it, whatever the user's own wish for motion. */
  still: boolean;
  #moment: CanvasMoment = {
    camera: { x: 0, y: 0, zoom: 1 },
    size: { width: 0, height: 0 },
    insets: { top: 0, right: 0, bottom: 0, left: 0 },
    selectedNodes: new Set(),
    selectedLinks: new Set(),
    hover: null,
    matches: null,
    resize: null,
    editing: null,
    drag: null,
    glide: null,
    guides: [],
    linkDraft: null,
    band: null,
    mode: 'hand',
    snaps: false,
  };

  constructor({ still = false }: { still?: boolean } = {}) {
    super();
    this.still = still;
  }

  get moment(): CanvasMoment {
    return this.#moment;
  }

  /** Sets parts of the moment; parts that are the same object or value as before count as unchanged. */
  update(changes: Partial<CanvasMoment>): void {
    const changed = new Set<MomentKey>();
    for (const key of Object.keys(changes) as MomentKey[]) {
      if (changes[key] !== this.#moment[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.#moment = { ...this.#moment, ...changes };
    this.notify(this.#moment, changed);
  }

  /** Notifies of changes of these parts only. */
  partsOf(...keys: MomentKey[]): Subscribable {
    return { subscribe: (listener) => this.subscribe((_moment, changed) => keys.some((key) => changed.has(key)) && listener()) };
  }
}
