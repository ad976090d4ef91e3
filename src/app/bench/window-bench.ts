import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Camera } from '../../canvas/canvas-view.ts';
import type { SceneStats } from '../../canvas/scene/scene.ts';
import type { BenchGraph } from './bench-graph.ts';

/** What the canvas benchmark drives a page by: `window.__bench`. Screen px = world px * zoom + { x, y }. */
export type BenchAdapter = {
  name: string;
  /** Resolves when the page can take a graph. */
  ready: Promise<void>;
  /** Shows a graph instead of what is there; resolves when all of it that is in view has been handed to the browser. */
  setGraph: (graph: BenchGraph) => Promise<void>;
  camera: () => Camera;
  setCamera: (camera: Camera) => void;
  /** World px of a node's top-left corner, by its place in the graph, as the document has it. */
  nodePos: (place: number) => { x: number; y: number };
  /** Moves a node, by its place in the graph, as a command of the user would; returns the ms until the page's own document shows it. */
  move: (place: number, to: { x: number; y: number }) => Promise<number>;
  /** The document as the page shows it. */
  document: () => CanvasDocument;
  /** Ids of the selected cards. */
  selected: () => string[];
  /** Selects these nodes, by their places in the graph; dragging one of them moves all. */
  select: (places: readonly number[]) => void;
  panButton: 'left';
  /** One notch of the wheel. */
  wheelDelta: number;
  /** Has one card, by its place in the graph, at work and moving as in a run that goes on. */
  work: (place: number) => Promise<void>;
  /** What the scene has drawn so far. */
  stats: () => SceneStats;
  /** A card can be taken hold of anywhere. */
  grab: null;
};

declare global {
  interface Window {
    __bench?: BenchAdapter;
  }
}
