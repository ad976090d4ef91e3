import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { DocumentCommand } from '../../model/commands.ts';
import type { EphemeralState, Hover } from '../canvas-view.ts';
import type { Point, Rect } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/** A pointer event, as the tools get it. */
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
  /** Disables alignment guides during a drag. */
  free: boolean;
  /** A drag moves copies and leaves the cards in place. */
  copies: boolean;
  /** The space bar is held: the left button pans. */
  pans: boolean;
};

/** The read-only input of a tool. */
export type ToolContext = {
  ephemeral: EphemeralState;
  document: CanvasDocument;
  /** Cards can be moved and links drawn. False while a run locks the document, when read-only, and on the mobile layout. W4.02 W2.07 */
  editable: boolean;
  /** A marquee can be drawn. False on the mobile layout. W2.07 */
  canSelectByMarquee: boolean;
  /** What lies under a point (CSS px). */
  hit: (at: Point) => Hover | null;
  index: Pick<DocumentIndex, 'nodes' | 'links' | 'linksOf' | 'routes'>;
};

/** The current gesture. `pointerId` is the pointer that it follows. */
export type Tool =
  | { kind: 'idle' }
  /** A button is down and has not moved far enough to decide the gesture. */
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
  /** `origin` is the start of the drag, `grip` the corner of the card there, `box` the box around all dragged cards. World px. */
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
  /** `from`: the card that the fixed end is at. `redrawn`: the end of a link that follows the pointer; absent for a new link. */
  | {
      kind: 'link';
      pointerId: number;
      device: PointerInput['device'];
      at: Point;
      from: string;
      hasMoved?: true;
      redrawn?: { id: string; end: 'from' | 'to' };
    }
  /** `from` is the first corner, world px; `kept` stays selected in any case; `before` is the selection at the start. */
  | {
      kind: 'marquee';
      pointerId: number;
      device: PointerInput['device'];
      at: Point;
      from: Point;
      kept: ReadonlySet<string>;
      before: Pick<EphemeralState, 'selectedNodes' | 'selectedLinks'>;
    }
  | { kind: 'pinch'; fingers: readonly [Finger, Finger] };

export type Finger = { pointerId: number; at: Point };

/**
 * The end of a link for which a menu asks where it goes, and the draft stays while the menu is open. `at` (CSS px) is an empty place, or on
 * the folded group `into`. `redrawn`: the end of a link that is there already.
 */
export type LinkDrop = { from: string; at: Point; into?: string; redrawn?: { id: string; end: 'from' | 'to' } };

/** A tool's result: the next gesture, changes of the page's state, and the command that ends the gesture, or the end of a link to ask for. */
export type Step = { tool: Tool; ephemeral?: Partial<EphemeralState>; command?: DocumentCommand; drop?: LinkDrop };

export const idle: Tool = { kind: 'idle' };
