import type { CanvasDocument } from '../../../contract/canvas.ts';
import { RouteFinder } from '../../../src/canvas/geometry/routes/route-finder.ts';
import { routesOf } from '../../../src/canvas/geometry/routes/routes-of.ts';
import { routing } from '../../../src/canvas/geometry/routes/routing.ts';

export type Points = { x: number; y: number }[];

routing.set(RouteFinder);

/** The corners of a link's route, ends included (world px). */
export function routeOf(document: CanvasDocument, linkId: string): Points {
  const corners = routesOf(document).corners(linkId) ?? [];
  return Array.from({ length: corners.length / 2 }, (_, i) => ({ x: corners[2 * i] as number, y: corners[2 * i + 1] as number }));
}
