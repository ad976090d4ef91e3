import type { CanvasNode, Connection } from '../../contract/canvas.ts';
import type { DifferenceKind } from '../model/versions/comparison.ts';

/** What differs from an earlier version, as the canvas shows it: the kinds that are switched on. */
export type ComparisonOnCanvas = {
  /** Nodes and links of the document. */
  nodes: ReadonlyMap<string, DifferenceKind>;
  links: ReadonlyMap<string, DifferenceKind>;
  /** Removed ones. */
  ghosts: ReadonlyMap<string, CanvasNode>;
  ghostLinks: readonly Connection[];
  /** The node or link that the list is at. */
  focusId: string | null;
};
