import type { Graph } from './graph.ts';

export type Camera = { x: number; y: number; zoom: number };
export type Point = { x: number; y: number };

/**
 * The interface of a measured page as `window.__bench`. Screen pixels are world times zoom plus the camera's x and y; the canvas
 * starts at the window's top left corner.
 */
export type Adapter = {
  /** Resolves when the page can take a graph. */
  ready: Promise<unknown>;
  /** Resolves when everything visible has been sent to the browser. */
  setGraph(graph: Graph): Promise<void>;
  camera(): Camera;
  /** Sets it immediately, without animation. */
  setCamera(camera: Camera): void;
  /** World top left of a node by its number. */
  nodePos(index: number): Point;
  /** Selects these node numbers; dragging one of them then moves all. */
  select?(indices: number[]): void;
  /** Marks one card as running, animated as in a run. */
  work?(index: number): Promise<void>;
  /** Runs these node numbers at the same time; one ends and another begins ten times a second. Returns how to read how many have ended. */
  workMany?(indices: number[]): Promise<() => number>;
  /** Puts the cards into this number of groups. */
  group?(groups: number): Promise<void>;
  /** Folds all groups, or opens them. Resolves with the number of shown nodes when their picture is drawn. */
  fold?(isFolded: boolean): Promise<number>;
  panButton: 'left' | 'middle';
  /** The wheel's delta of one notch that multiplies the zoom by about 1.1. */
  wheelDelta: number;
  /** A point inside a card that drags it; its middle when null. */
  grab: { dx: number; dy: number } | null;
};

export type BenchWindow = { __bench: Adapter };
