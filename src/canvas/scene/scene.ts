import type { Application } from 'pixi.js';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import type { ThemeName } from '../../ui/palette.ts';
import type { CanvasView } from '../canvas-view.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { CardTexts } from './text/card-texts.ts';

export type SceneStats = { nodesDrawn: number; nodesTotal: number; drawCalls: number; frames: number };

export type Scene = {
  stats(): SceneStats;
  /** Calls a listener with the ms that each frame took to draw; null removes it. */
  watch(listener: ((ms: number) => void) | null): void;
  setTheme(theme: ThemeName): void;
  setTexts(texts: CardTexts): void;
  /** Mobile draws no ports. */
  setPorts(shown: boolean): void;
  /** To be called when fonts have arrived or the pixel ratio has changed: measures and draws all text anew. */
  textChanged(): void;
  /** To be called when the drawing surface has lost and regained its context: everything goes to the GPU again. */
  restore(): void;
  /** Draws the next frame. */
  redraw(): void;
  dispose(): void;
};

export type SceneOptions = {
  app: Application;
  store: WorkspaceStore;
  view: CanvasView;
  /** Kept up to date by the scene, for hit tests of others. */
  index: DocumentIndex;
  theme: ThemeName;
  texts: CardTexts;
  ports: boolean;
  /** No pulse, no travel: the dot stands at the middle of its link. */
  stillMotion: () => boolean;
  /** Called when an error outside the layers has stopped the drawing. */
  onFault: (error: unknown) => void;
};
