/** Screen px = world px * zoom + { x, y }. */
export type Camera = { x: number; y: number; zoom: number };
export type Point = { x: number; y: number };
/** `right` and `bottom` lie outside. */
export type Rect = { left: number; top: number; right: number; bottom: number };
/** CSS px that panels cover at each edge. */
export type Insets = {
  top: number;
  right: number;
  bottom: number;
  left: number;
  /** The covered area in the bottom right corner, measured from the window's edges. */
  corner?: { width: number; height: number } | undefined;
};

/** The limits of zooming by wheel and buttons. W9.01 */
export const zoomLimits = { min: 0.1, max: 3 } as const;
/** The smallest zoom of "Fit to view", to show any graph whole. */
const fitZoomMin = 0.01;
/** The margin round fitted bounds (CSS px), and its largest share of the free width or height. */
const fitMargin = { most: 32, share: 0.06 } as const;

export function clampZoom(zoom: number): number {
  return Math.min(zoomLimits.max, Math.max(zoomLimits.min, zoom));
}

export function toWorld(camera: Camera, screen: Point): Point {
  return { x: (screen.x - camera.x) / camera.zoom, y: (screen.y - camera.y) / camera.zoom };
}

export function toScreen(camera: Camera, world: Point): Point {
  return { x: world.x * camera.zoom + camera.x, y: world.y * camera.zoom + camera.y };
}

/** Zooms about the world point under `screen`. Applies no limits. */
export function zoomAt(camera: Camera, screen: Point, zoom: number): Camera {
  const world = toWorld(camera, screen);
  return { x: screen.x - world.x * zoom, y: screen.y - world.y * zoom, zoom };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { x: camera.x + dx, y: camera.y + dy, zoom: camera.zoom };
}

/** The part of the world that a view of `size` CSS px shows. */
export function visibleWorld(camera: Camera, size: { width: number; height: number }): Rect {
  const { x, y } = toWorld(camera, { x: 0, y: 0 });
  return { left: x, top: y, right: x + size.width / camera.zoom, bottom: y + size.height / camera.zoom };
}

/**
 * The camera that shows `bounds` (world px) whole and centred in the area that the insets leave free, at most at `maxZoom`. If the
 * covered corner would hide a part, the bounds lie above or beside the corner, where they are shown larger.
 */
export function fit(bounds: Rect, size: { width: number; height: number }, insets: Insets, maxZoom = 1): Camera {
  const camera = fitBetween(bounds, size, insets, maxZoom);
  if (!reachesCorner(toScreen(camera, { x: bounds.right, y: bounds.bottom }), size, insets)) return camera;
  const { width, height } = insets.corner ?? noCorner;
  const above = fitBetween(bounds, size, { ...insets, bottom: Math.max(insets.bottom, height) }, maxZoom);
  const beside = fitBetween(bounds, size, { ...insets, right: Math.max(insets.right, width) }, maxZoom);
  return beside.zoom > above.zoom ? beside : above;
}

const noCorner = { width: 0, height: 0 };

/** Whether a box that ends at this point of the screen reaches under the panels in the corner. */
export function reachesCorner({ x, y }: Point, size: { width: number; height: number }, { corner = noCorner }: Insets): boolean {
  return x > size.width - corner.width && y > size.height - corner.height;
}

function fitBetween(bounds: Rect, size: { width: number; height: number }, insets: Insets, maxZoom: number): Camera {
  const [across, down] = [size.width - insets.left - insets.right, size.height - insets.top - insets.bottom];
  const margin = Math.max(0, Math.min(fitMargin.most, across * fitMargin.share, down * fitMargin.share));
  const width = Math.max(1, across - 2 * margin);
  const height = Math.max(1, down - 2 * margin);
  const zoom = Math.max(
    fitZoomMin,
    Math.min(maxZoom, width / Math.max(1, bounds.right - bounds.left), height / Math.max(1, bounds.bottom - bounds.top)),
  );
  const centre = { x: insets.left + margin + width / 2, y: insets.top + margin + height / 2 };
  return {
    x: centre.x - ((bounds.left + bounds.right) / 2) * zoom,
    y: centre.y - ((bounds.top + bounds.bottom) / 2) * zoom,
    zoom,
  };
}

/** The box between two opposite corners. */
export function boxBetween(a: Point, b: Point): Rect {
  return { left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y) };
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether a box contains another. */
export function containsBox(outer: Rect, inner: Rect): boolean {
  return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

/** Grows a box to every side by a share of its width or height. */
export function expandBox({ left, top, right, bottom }: Rect, share: number): Rect {
  const across = (right - left) * share;
  const down = (bottom - top) * share;
  return { left: left - across, top: top - down, right: right + across, bottom: bottom + down };
}
