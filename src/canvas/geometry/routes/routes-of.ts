import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Rect } from '../camera.ts';
import { nodesBounds } from '../document-bounds.ts';
import { DocumentIndex, indexHolding, maxBoundedCards } from '../document-index.ts';
import { touchedAll } from '../touched.ts';
import type { LinkRoutes } from './link-routes.ts';

/** Returns the routes of a document's links: those of the canvas that shows it, else routes of their own, which are kept with the document. */
export function routesOf(document: CanvasDocument): LinkRoutes {
  return indexOf(document).routes;
}

/** The box round all cards and links (world px), on a large canvas round all cards; null on an empty one. */
export function documentBounds(document: CanvasDocument): Rect | null {
  return Object.keys(document.nodes).length > maxBoundedCards ? nodesBounds(document.nodes) : indexOf(document).bounds();
}

function indexOf(document: CanvasDocument): DocumentIndex {
  const held = indexHolding(document);
  if (held) return held;
  const index = new DocumentIndex();
  index.update(document, touchedAll);
  return index;
}
