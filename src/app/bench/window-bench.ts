import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Camera } from '../../canvas/geometry/camera.ts';
import type { SceneStats } from '../../canvas/scene/scene.ts';
import type { BenchGraph } from './bench-graph.ts';

/** The interface through which the canvas benchmark drives a page: `window.__bench`. Screen px = world px * zoom + { x, y }. */
export type BenchAdapter = {
  name: string;
  /** Resolves when the page can take a graph. */
  ready: Promise<void>;
  /** Replaces the graph. Resolves when the visible part of it has been drawn. */
  setGraph: (graph: BenchGraph) => Promise<void>;
  camera: () => Camera;
  setCamera: (camera: Camera) => void;
  /** Returns the top-left corner of a node (world px, in the document), by its index in the graph. */
  nodePos: (place: number) => { x: number; y: number };
  /** Moves a node, by its index in the graph, with a user's command. Returns the ms until the page's document shows the move. */
  move: (place: number, to: { x: number; y: number }) => Promise<number>;
  /** Returns the document that the page shows. */
  document: () => CanvasDocument;
  /** Returns the ids of the selected cards. */
  selected: () => string[];
  /** Selects these nodes, by their indexes in the graph. Dragging one of them moves all. */
  select: (places: readonly number[]) => void;
  panButton: 'left';
  /** The wheel delta of one notch. */
  wheelDelta: number;
  /** Starts a run in which one card, by its index in the graph, is running and animated. */
  work: (place: number) => Promise<void>;
  /**
   * Runs these cards, by their places in the graph, at the same time. From then on one of them ends and another begins ten times a second. The
   * returned function returns the number of cards that have ended.
   */
  workMany: (places: readonly number[]) => Promise<() => number>;
  /** Puts the cards into this number of groups. */
  group: (groups: number) => Promise<void>;
  /** Folds all groups, or opens them. Resolves with the number of shown nodes when their picture is drawn. */
  fold: (isFolded: boolean) => Promise<number>;
  /** Returns the scene's statistics. */
  stats: () => SceneStats;
  /** Returns how often the view and the workspace's state have told of a change. */
  notified: () => { view: number; store: number };
  /** Null: a card can be dragged at any point. */
  grab: null;
};

declare global {
  interface Window {
    __bench?: BenchAdapter;
  }
}
