import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { type Camera, reachesCorner } from '../../../canvas/geometry/camera.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { documentBounds } from '../../../canvas/geometry/routes/routes-of.ts';
import { fitTeam } from './fit-team.ts';
import { contains, freeView, isInView, onScreen } from './free-view.ts';

type ViewState = { camera: Camera; size: EphemeralState['size']; insets: EphemeralState['insets'] };

/**
 * Returns the camera after panels have changed the insets; null when they newly cover nothing that was in view. If the whole
 * document was in view, it is fitted again, at the same zoom at most; where it has too little room, around the card `near`. Otherwise zoom
 * and centre stay.
 */
export function cameraForInsets(
  before: ViewState,
  insets: EphemeralState['insets'],
  document: CanvasDocument,
  near?: CanvasNode,
): Camera | null {
  const { camera, size } = before;
  const bounds = documentBounds(document);
  if (!bounds) return null;
  const from = freeView(before);
  const to = freeView({ size, insets });
  const shown = onScreen(camera, bounds);
  const corner = { x: shown.right, y: shown.bottom };
  const isUnderCorner = (of: EphemeralState['insets']) => reachesCorner(corner, size, of);
  const newlyUnderCorner = isUnderCorner(insets) && !isUnderCorner(before.insets);
  if (contains(to, shown) && !newlyUnderCorner) return null;
  if (contains(from, shown)) return fitTeam(document, { size, insets }, { maxZoom: camera.zoom, near });
  const after = { camera, size, insets };
  const losesSome = Object.values(document.nodes).some((node) => {
    const box = nodeBox(node);
    return isInView(before, box) && !isInView(after, box);
  });
  if (!losesSome) return null;
  return {
    x: camera.x + (to.left + to.right - from.left - from.right) / 2,
    y: camera.y + (to.top + to.bottom - from.top - from.bottom) / 2,
    zoom: camera.zoom,
  };
}
