import type { Camera, Point, Rect } from '../../../canvas/geometry/camera.ts';

/** The transform from the world to the map: map px = world px * scale + { x, y }. */
export type MapFrame = { x: number; y: number; scale: number };

type Size = { width: number; height: number };

/** The margin round the contents (map px). */
const margin = 6;
/** The part of the view's frame that always stays in the map (map px). */
const minShown = 6;
/** The maximum scale, for small teams. */
const largestScale = 0.12;

/** Fits `bounds` (world px) into the middle of a map. */
export function mapFrame(bounds: Rect, size: Size): MapFrame {
  const scale = Math.min(
    largestScale,
    (size.width - 2 * margin) / Math.max(1, bounds.right - bounds.left),
    (size.height - 2 * margin) / Math.max(1, bounds.bottom - bounds.top),
  );
  return {
    x: size.width / 2 - ((bounds.left + bounds.right) / 2) * scale,
    y: size.height / 2 - ((bounds.top + bounds.bottom) / 2) * scale,
    scale,
  };
}

/** Returns the view's frame (map px); a view beyond the map's edge lies along it. */
export function viewInMap(frame: MapFrame, camera: Camera, view: Size, size: Size): Rect {
  const across = spanInMap(frame.x - (camera.x / camera.zoom) * frame.scale, (view.width / camera.zoom) * frame.scale, size.width);
  const down = spanInMap(frame.y - (camera.y / camera.zoom) * frame.scale, (view.height / camera.zoom) * frame.scale, size.height);
  return { left: across.from, right: across.to, top: down.from, bottom: down.to };
}

function spanInMap(start: number, length: number, size: number): { from: number; to: number } {
  const from = Math.min(size - minShown, Math.max(0, start));
  const to = Math.max(from + minShown, Math.min(size, start + length));
  return { from: Math.min(from, to - minShown), to: Math.min(size, to) };
}

/** Returns the camera with a point of the map (map px) in the middle of the view. */
export function cameraAt(frame: MapFrame, point: Point, camera: Camera, view: Size): Camera {
  const world = { x: (point.x - frame.x) / frame.scale, y: (point.y - frame.y) / frame.scale };
  return { x: view.width / 2 - world.x * camera.zoom, y: view.height / 2 - world.y * camera.zoom, zoom: camera.zoom };
}
