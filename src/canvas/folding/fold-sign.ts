import type { CanvasNode } from '../../../contract/canvas.ts';
import type { Point } from '../geometry/camera.ts';
import { detailLevel } from '../geometry/level-of-detail.ts';
import { isFolded } from './folded-records.ts';

/** The chevron before the title of a group: right of a folded one, down of an open one. */
export const foldSigns = { folded: '▸', open: '▾' } as const;

/** The place above an open group that takes a press on its chevron: world px, with a minimum in CSS px. */
const aboveOpen = { world: 26, screen: 24 } as const;
/** The same at the head of a folded group at full detail, from the corner of its card (world px). */
const headOfFolded = { width: 82, height: 58 } as const;

/** Whether a point (world px) is on the chevron of a group. */
export function isOnFoldSign(group: CanvasNode, point: Point, zoom: number): boolean {
  const x = point.x - group.x;
  const y = point.y - group.y;
  if (isFolded(group)) return detailLevel(zoom) === 'full' && x >= 0 && x <= headOfFolded.width && y >= 0 && y <= headOfFolded.height;
  const reach = Math.max(aboveOpen.world, aboveOpen.screen / zoom);
  return x >= 0 && x <= reach && y >= -reach && y < 0;
}
