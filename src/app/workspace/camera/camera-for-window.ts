import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { asFitted, fittedTo } from '../../../canvas/fitted-cameras.ts';
import type { Camera } from '../../../canvas/geometry/camera.ts';
import { freeView, showsAnyCard } from './free-view.ts';

type Viewport = Pick<EphemeralState, 'size' | 'insets'>;

/**
 * Returns the camera for a window that has got another size. A camera that is still where it was fitted is fitted
 * again: to all cards, `whole`, or as that of a newly opened project, `opening`. Otherwise zoom and middle stay, unless all cards would be lost
 * by that.
 */
export function cameraForWindow(
  before: Viewport & { camera: Camera },
  after: Viewport,
  { nodes, opening, whole }: { nodes: CanvasDocument['nodes']; opening: Camera | null; whole: Camera | null },
): Camera {
  const { camera } = before;
  const fitting = fittedTo(camera);
  const again = fitting === 'all' ? whole : opening;
  if (fitting && again) return asFitted(again, fitting);
  const [from, to] = [freeView(before), freeView(after)];
  const moved = {
    x: camera.x + (to.left + to.right - from.left - from.right) / 2,
    y: camera.y + (to.top + to.bottom - from.top - from.bottom) / 2,
    zoom: camera.zoom,
  };
  const isLost = showsAnyCard(before, nodes) && !showsAnyCard({ ...after, camera: moved }, nodes);
  return isLost && opening ? asFitted(opening) : moved;
}
