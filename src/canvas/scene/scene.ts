import type { Application } from 'pixi.js';
import type { Palette } from '../../ui/palette.ts';
import type { CanvasView } from '../canvas-view.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { CardTexts } from './text/card-texts.ts';

/**
 * Counts of the last frame, and since the scene was made: its `frames`, the `visits` to layers, and the `uploads` of what was drawn anew.
 * `isAtRest`: text is laid out for the zoom that is shown, and not stretched from another.
 */
export type SceneStats = {
  nodesDrawn: number;
  nodesTotal: number;
  drawCalls: number;
  frames: number;
  visits: number;
  uploads: number;
  isAtRest: boolean;
};

export type Scene = {
  stats(): SceneStats;
  /** Calls a listener with the ms that each frame took to draw; null removes it. */
  watch(listener: ((ms: number) => void) | null): void;
  setPalette(palette: Palette): void;
  setTexts(texts: CardTexts): void;
  /** The mobile layout draws no ports. */
  setPorts(shown: boolean): void;
  /** Measures and draws all text again. Call it when fonts have loaded or the pixel ratio has changed. */
  textChanged(): void;
  /** Sends everything to the GPU again. Call it when the drawing context was lost and restored. */
  restore(): void;
  /** Draws the next frame. */
  redraw(): void;
  dispose(): void;
};

export type SceneOptions = {
  app: Application;
  /** What is shown: with folded groups as cards. */
  store: FoldedStore;
  view: CanvasView;
  /** The scene keeps it up to date; hit tests read it. */
  index: DocumentIndex;
  palette: Palette;
  texts: CardTexts;
  ports: boolean;
  /** Whether animations are off: no pulse, and the dot of a link stays at its middle. */
  isMotionOff: () => boolean;
  /** Called when an error outside the layers has stopped the drawing. */
  onFault: (error: unknown) => void;
};
