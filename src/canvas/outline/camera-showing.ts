import type { EphemeralState } from '../canvas-view.ts';
import type { Camera, Rect } from '../geometry/camera.ts';
import { outOfCorner } from '../geometry/out-of-corner.ts';

/** The margin around a box that is brought into view, CSS px. */
const margin = 24;

/** Moves the camera as little as needed to show a box (world px) clear of the panels. */
export function cameraShowing(box: Rect, { camera, size, insets }: Pick<EphemeralState, 'camera' | 'size' | 'insets'>): Camera {
  const free = { left: insets.left, top: insets.top, right: size.width - insets.right, bottom: size.height - insets.bottom };
  const padded = {
    left: box.left * camera.zoom + camera.x - margin,
    top: box.top * camera.zoom + camera.y - margin,
    right: box.right * camera.zoom + camera.x + margin,
    bottom: box.bottom * camera.zoom + camera.y + margin,
  };
  const x = shift(padded.left, padded.right, free.left, free.right);
  const y = shift(padded.top, padded.bottom, free.top, free.bottom);
  const within = { left: padded.left + x, top: padded.top + y, right: padded.right + x, bottom: padded.bottom + y };
  const out = outOfCorner(within, free, size, insets);
  const dx = x + out.x;
  const dy = y + out.y;
  return dx === 0 && dy === 0 ? camera : { ...camera, x: camera.x + dx, y: camera.y + dy };
}

function shift(from: number, to: number, min: number, max: number): number {
  if (from < min || to - from > max - min) return min - from;
  return to > max ? max - to : 0;
}
