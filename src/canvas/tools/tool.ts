import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { DocumentCommand } from '../../model/commands.ts';
import type { CanvasMoment, Hover } from '../canvas-view.ts';
import type { Point, Rect } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/** What a pointer did, as the tools see it. */
export type PointerInput = {
  type: 'down' | 'move' | 'up' | 'cancel';
  pointerId: number;
  device: 'mouse' | 'touch' | 'pen';
  /** The button of a press, as the DOM numbers it: 0 left, 1 middle, 2 right. */
  button: number;
  /** CSS px from the canvas's top-left corner. */
  at: Point;
  /** Adds to the selection instead of replacing it. */
  adds: boolean;
  /** A drag goes where the pointer goes, whatever it could be level with. */
  free: boolean;
  /** A drag leaves the cards where they are and takes copies along. */
  copies: boolean;
  /** The space bar is held: the left button pans whatever it is on. */
  pans: boolean;
};

/** What a tool may look at; nothing in it changes while a tool decides. */
export type ToolContext = {
  moment: CanvasMoment;
  document: CanvasDocument;
  /** Cards can be moved and links drawn: not while a run holds the document, nor read-only, nor on the mobile layout. W4.02 W2.07 */
  editable: boolean;
  /** A band can be drawn that selects: not on the mobile layout. W2.07 */
  bands: boolean;
  /** What lies under a point (CSS px). */
  hit: (at: Point) => Hover | null;
  index: Pick<DocumentIndex, 'nodes'>;
};

/** The gesture under way. `pointerId` is the pointer that it follows. */
export type Tool =
  | { kind: 'idle' }
  /** A button is down and has not moved far enough to say what it will be. */
  | {
      kind: 'press';
      pointerId: number;
      device: PointerInput['device'];
      start: Point;
      target: Hover | null;
      adds: boolean;
      wasSelected: boolean;
    }
  | { kind: 'pan'; pointerId: number; device: PointerInput['device']; at: Point }
  /** `origin` is where the cards were taken hold of, `grip` the corner of the card there, `box` is round all of them. World px. */
  | {
      kind: 'move';
      pointerId: number;
      device: PointerInput['device'];
      at: Point;
      origin: Point;
      nodeIds: ReadonlySet<string>;
      grip: Point;
      box: Rect;
    }
  | { kind: 'link'; pointerId: number; device: PointerInput['device']; at: Point; from: string }
  /** `from` is the corner where it began, world px; `kept` stays selected whatever it takes in, `before` was selected when it began. */
  | {
      kind: 'band';
      pointerId: number;
      device: PointerInput['device'];
      at: Point;
      from: Point;
      kept: ReadonlySet<string>;
      before: Pick<CanvasMoment, 'selectedNodes' | 'selectedLinks'>;
    }
  | { kind: 'pinch'; fingers: readonly [Finger, Finger] };

export type Finger = { pointerId: number; at: Point };

/** What a tool answers: the gesture that goes on, what to show of the moment, and the command that the gesture ended in. */
export type Step = { tool: Tool; moment?: Partial<CanvasMoment>; command?: DocumentCommand };

export const idle: Tool = { kind: 'idle' };
