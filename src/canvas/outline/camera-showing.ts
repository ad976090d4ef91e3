import type { Camera, CanvasMoment } from '../canvas-view.ts';
import type { Rect } from '../geometry/camera.ts';

/** CSS px kept free round what is brought into view. */
const margin = 24;

/** The camera moved no further than is needed to show a box (world px) clear of the panels. */
export function cameraShowing(box: Rect, { camera, size, insets }: Pick<CanvasMoment, 'camera' | 'size' | 'insets'>): Camera {
  const dx = shift(
    box.left * camera.zoom + camera.x,
    box.right * camera.zoom + camera.x,
    insets.left + margin,
    size.width - insets.right - margin,
  );
  const dy = shift(
    box.top * camera.zoom + camera.y,
    box.bottom * camera.zoom + camera.y,
    insets.top + margin,
    size.height - insets.bottom - margin,
  );
  return dx === 0 && dy === 0 ? camera : { ...camera, x: camera.x + dx, y: camera.y + dy };
}

function shift(from: number, to: number, min: number, max: number): number {
  if (from < min || to - from > max - min) return min - from;
  return to > max ? max - to : 0;
}
