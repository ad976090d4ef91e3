import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import { canvasKinds } from '../../canvas-kinds.ts';
import type { Point } from '../../geometry/camera.ts';
import { detailLevel } from '../../geometry/level-of-detail.ts';
import { fullCard } from './full-card-layout.ts';

/** How far the sign of the state is taken from the right edge of a card without a foot (CSS px). */
const signReach = 34;

/** Whether a point (world px) is on the foot of a card; where it has none at this zoom, on the sign of its state in the upper right. */
export function isOnFoot(node: CanvasNode, point: Point, zoom: number): boolean {
  if (canvasKinds[node.type].card !== 'work') return false;
  const { width, height } = nodeSize(node);
  const fromTop = point.y - node.y;
  const level = detailLevel(zoom);
  if (level === 'full') return fromTop >= height - fullCard.foot;
  return level === 'compact' && fromTop <= height / 2 && node.x + width - point.x <= signReach / zoom;
}
