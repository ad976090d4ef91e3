import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { type Camera, overlaps, type Rect } from '../../../canvas/geometry/camera.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';

type CameraView = { camera: Camera; size: EphemeralState['size']; insets: EphemeralState['insets'] };

/** Returns the area that the panels leave free (CSS px). */
export function freeView({ size, insets }: Pick<CameraView, 'size' | 'insets'>): Rect {
  return { left: insets.left, top: insets.top, right: size.width - insets.right, bottom: size.height - insets.bottom };
}

/** Converts a box from world px to CSS px of the screen. */
export function onScreen({ x, y, zoom }: Camera, box: Rect): Rect {
  return { left: box.left * zoom + x, top: box.top * zoom + y, right: box.right * zoom + x, bottom: box.bottom * zoom + y };
}

/** Returns whether a point of the world is in the free area. */
export function isPointInView(place: CameraView, { x, y }: { x: number; y: number }): boolean {
  return contains(freeView(place), onScreen(place.camera, { left: x, top: y, right: x, bottom: y }));
}

export function contains(outer: Rect, inner: Rect): boolean {
  return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

/** Returns whether enough of the box is in the free area to recognise it: half of the box, or half of the area. */
export function isInView(place: CameraView, box: Rect): boolean {
  const free = freeView(place);
  const shown = onScreen(place.camera, box);
  if (!overlaps(free, shown)) return false;
  const seen = area({
    left: Math.max(free.left, shown.left),
    top: Math.max(free.top, shown.top),
    right: Math.min(free.right, shown.right),
    bottom: Math.min(free.bottom, shown.bottom),
  });
  return seen >= area(shown) / 2 || seen >= area(free) / 2;
}

/** Returns whether the free area shows any card; true for an empty canvas. */
export function showsAnyCard(place: CameraView, nodes: CanvasDocument['nodes']): boolean {
  let isEmpty = true;
  for (const id in nodes) {
    const node = nodes[id];
    if (!node) continue;
    if (isInView(place, nodeBox(node))) return true;
    isEmpty = false;
  }
  return isEmpty;
}

function area({ left, top, right, bottom }: Rect): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}
