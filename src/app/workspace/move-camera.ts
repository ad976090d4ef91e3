import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { Camera, CanvasView } from '../../canvas/canvas-view.ts';
import { fit, type Rect } from '../../canvas/geometry/camera.ts';
import { nodeSize } from '../../model/node-size.ts';

const travelMs = 200;
/** Free px between a revealed card and the panels. */
const margin = 32;
/** Below this a card no longer shows its words. */
const readableZoom = 0.6;

/** The travel that each view is on: a new one ends the one before. */
const travels = new WeakMap<CanvasView, symbol>();

/** Takes the camera to where it should be in 200 ms, at once when the user wants no motion or the view is still. Any other move of the camera ends the travel. */
export function moveCamera(view: CanvasView, target: Camera): void {
  const travel = Symbol('travel');
  travels.set(view, travel);
  if (view.still || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    view.update({ camera: target });
    return;
  }
  const from = view.moment.camera;
  const begin = performance.now();
  let last = from;
  const step = (now: number) => {
    if (travels.get(view) !== travel || view.moment.camera !== last) return;
    const share = Math.min(1, Math.max(0, (now - begin) / travelMs));
    const eased = 1 - (1 - share) ** 3;
    last = {
      x: from.x + (target.x - from.x) * eased,
      y: from.y + (target.y - from.y) * eased,
      zoom: from.zoom + (target.zoom - from.zoom) * eased,
    };
    view.update({ camera: share === 1 ? target : last });
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Shows every card; nothing on an empty canvas. */
export function fitAll(view: CanvasView, nodes: CanvasDocument['nodes']): void {
  const bounds = boundsOf(Object.values(nodes));
  if (bounds) moveCamera(view, fit(bounds, view.moment.size, view.moment.insets));
}

/** The camera that shows every card, or on a narrow screen, where that would leave nothing to read, the first ones; null on an empty canvas. */
export function openingCamera(view: CanvasView, nodes: CanvasDocument['nodes'], mobile: boolean): Camera | null {
  const all = Object.values(nodes);
  const bounds = boundsOf(all);
  if (!bounds) return null;
  const whole = fit(bounds, view.moment.size, view.moment.insets);
  if (!mobile || whole.zoom >= readableZoom) return whole;
  const first = all.reduce((best, node) => (node.y + node.x < best.y + best.x ? node : best));
  return fit(boundsOf([first]) ?? bounds, view.moment.size, view.moment.insets);
}

/** Pans as far as needed for a card to stand clear of every panel; zooms out only if the card is larger than what is free. */
export function revealNode(view: CanvasView, node: CanvasNode): void {
  const { camera, size, insets } = view.moment;
  const bounds = boundsOf([node]);
  if (!bounds || size.width === 0) return;
  const free = {
    left: insets.left + margin,
    top: insets.top + margin,
    right: size.width - insets.right - margin,
    bottom: size.height - insets.bottom - margin,
  };
  const box = {
    left: bounds.left * camera.zoom + camera.x,
    top: bounds.top * camera.zoom + camera.y,
    right: bounds.right * camera.zoom + camera.x,
    bottom: bounds.bottom * camera.zoom + camera.y,
  };
  if (box.right - box.left > free.right - free.left || box.bottom - box.top > free.bottom - free.top) {
    moveCamera(view, fit(bounds, size, insets, camera.zoom));
    return;
  }
  const dx = shift(box.left, box.right, free.left, free.right);
  const dy = shift(box.top, box.bottom, free.top, free.bottom);
  if (dx !== 0 || dy !== 0) moveCamera(view, { x: camera.x + dx, y: camera.y + dy, zoom: camera.zoom });
}

function shift(low: number, high: number, min: number, max: number): number {
  if (low < min) return min - low;
  return high > max ? max - high : 0;
}

function boundsOf(nodes: readonly CanvasNode[]): Rect | null {
  if (nodes.length === 0) return null;
  const bounds: Rect = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of nodes) {
    const { width, height } = nodeSize(node);
    bounds.left = Math.min(bounds.left, node.x);
    bounds.top = Math.min(bounds.top, node.y);
    bounds.right = Math.max(bounds.right, node.x + width);
    bounds.bottom = Math.max(bounds.bottom, node.y + height);
  }
  return bounds;
}
