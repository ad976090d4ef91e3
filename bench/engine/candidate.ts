import type { Patch } from 'immer';
import type { CanvasDocument } from '../../contract/canvas.ts';

/** One way to keep the document: what the engine does for an edit, and what the page does with its patches. */
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
  /** Where the page has a node. */
  shown(id: string): { x: number; y: number };
};
