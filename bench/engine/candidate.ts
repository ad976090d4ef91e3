import type { Patch } from 'immer';
import type { CanvasDocument } from '../../contract/canvas.ts';

/** One way to store the document: the engine's work for an edit, and the page's work with its patches. */
export type Candidate = {
  name: string;
  /** Both sides, each with a document of its own. */
  open(document: CanvasDocument): Sides;
};

export type Sides = {
  /** Moves a node in the engine; returns what goes to the page. */
  edit(id: string, x: number, y: number): Patch[];
  /** Applies patches on the page. */
  apply(patches: Patch[]): void;
  /** Returns the place of a node in the page. */
  shown(id: string): { x: number; y: number };
};
