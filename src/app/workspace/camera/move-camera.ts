import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { Camera, CanvasView, EphemeralState } from '../../../canvas/canvas-view.ts';
import { fit, type Rect } from '../../../canvas/geometry/camera.ts';
import { documentBounds, nodeBox, unionBox } from '../../../canvas/geometry/document-bounds.ts';
import { outOfCorner } from '../../../canvas/geometry/out-of-corner.ts';
import { selectionBounds } from '../../../canvas/geometry/selection-bounds.ts';
import { freeView, onScreen } from './in-free-view.ts';

const travelMs = 200;
/** Free px between a revealed card and the panels. */
const margin = 32;
/** Below this a card no longer shows its words. */
const readableZoom = 0.6;
/** Nearest first: at this zoom the smallest words of a card are 11 px high. */
const legibleZoom = 1;
/** Free px round what a legible view shows. */
const legibleMargin = 12;

/** The travel that each view is on: a new one ends the one before. */
const travels = new WeakMap<CanvasView, { target: Camera; last: Camera }>();

/** Takes the camera to where it should be in 200 ms, at once when the user wants no motion or the view is still. Any other move of the camera ends the travel. */
export function moveCamera(view: CanvasView, target: Camera): void {
  if (view.isStatic || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    travels.delete(view);
    view.update({ camera: target });
    return;
  }
  const from = view.ephemeral.camera;
  const travel = { target, last: from };
  travels.set(view, travel);
  const begin = performance.now();
  const step = (now: number) => {
    if (travels.get(view) !== travel || view.ephemeral.camera !== travel.last) return;
    const share = Math.min(1, Math.max(0, (now - begin) / travelMs));
    const eased = 1 - (1 - share) ** 3;
    travel.last =
      share === 1
        ? target
        : {
            x: from.x + (target.x - from.x) * eased,
            y: from.y + (target.y - from.y) * eased,
            zoom: from.zoom + (target.zoom - from.zoom) * eased,
          };
    view.update({ camera: travel.last });
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Where the camera is, or is on its way to. */
export function cameraTarget(view: CanvasView): Camera {
  const travel = travels.get(view);
  return travel?.last === view.ephemeral.camera ? travel.target : view.ephemeral.camera;
}

/** Shows every card and link; nothing on an empty canvas. */
export function fitAll(view: CanvasView, document: CanvasDocument): void {
  const bounds = documentBounds(document);
  if (bounds) moveCamera(view, fit(bounds, view.ephemeral.size, view.ephemeral.insets));
}

/** Shows what is selected, and nothing when nothing is. */
export function fitSelection(view: CanvasView, document: CanvasDocument): void {
  const bounds = selectionBounds(document, view.ephemeral);
  if (bounds) moveCamera(view, fit(bounds, view.ephemeral.size, view.ephemeral.insets));
}

/** Takes a card to the middle of what the panels leave free, no nearer than it was unless its words could not be read. */
export function flyToNode(view: CanvasView, node: CanvasNode): void {
  const { camera, size, insets } = view.ephemeral;
  moveCamera(view, fit(nodeBox(node), size, insets, camera.zoom < readableZoom ? 1 : camera.zoom));
}

/** The camera that shows every card and link, or on a narrow screen, where that would leave nothing to read, the first ones; null on an empty canvas. */
export function openingCamera(view: CanvasView, document: CanvasDocument, mobile: boolean): Camera | null {
  const { size, insets } = view.ephemeral;
  const bounds = documentBounds(document);
  if (!bounds) return null;
  const whole = fit(bounds, size, insets);
  if (!mobile || whole.zoom >= readableZoom) return whole;
  const first = Object.values(document.nodes).reduce((best, node) => (node.y + node.x < best.y + best.x ? node : best));
  return fit(nodeBox(first), size, insets);
}

/**
 * The camera that shows the cards at the size of their own text: all of them where they fit, else as many of the first, in the
 * document's order, as fit side by side below the bars; null on an empty canvas.
 */
export function legibleCamera({ size, insets }: Pick<EphemeralState, 'size' | 'insets'>, document: CanvasDocument): Camera | null {
  const [first, ...others] = Object.values(document.nodes).map(nodeBox);
  if (!first) return null;
  const free = freeView({ size, insets: { ...insets, bottom: Math.max(insets.bottom, insets.corner?.height ?? 0) } });
  const width = free.right - free.left - 2 * legibleMargin;
  const height = free.bottom - free.top - 2 * legibleMargin;
  let shown: Rect = first;
  for (const box of others) {
    const wider = unionBox(shown, box);
    if (wider.right - wider.left > width || wider.bottom - wider.top > height) break;
    shown = wider;
  }
  return {
    x: (free.left + free.right - shown.left - shown.right) / 2,
    y: free.top + legibleMargin - shown.top,
    zoom: legibleZoom,
  };
}

/** Pans as far as needed for a card to stand clear of every panel; zooms out only if the card is larger than what is free. */
export function revealNode(view: CanvasView, node: CanvasNode): void {
  revealBox(view, nodeBox(node));
}

/** Shows cards that were placed together; on a narrow screen, where their words could not be read so, the first of them. */
export function revealNodes(view: CanvasView, nodes: readonly CanvasNode[], mobile: boolean): void {
  const bounds = nodes.map(nodeBox).reduce<Rect | null>(unionBox, null);
  if (!bounds) return;
  const first = nodes[0] as CanvasNode;
  const whole = fit(bounds, view.ephemeral.size, view.ephemeral.insets);
  revealBox(view, mobile && whole.zoom < readableZoom ? nodeBox(first) : bounds);
}

function revealBox(view: CanvasView, bounds: Rect): void {
  if (view.ephemeral.size.width === 0) return;
  const target = revealingCamera(view.ephemeral, bounds);
  if (target !== view.ephemeral.camera) moveCamera(view, target);
}

/** The camera that shows a box (world px) clear of every panel: the same one where it does already. */
export function revealingCamera({ camera, size, insets }: Pick<EphemeralState, 'camera' | 'size' | 'insets'>, bounds: Rect): Camera {
  const all = freeView({ size, insets });
  const free = { left: all.left + margin, top: all.top + margin, right: all.right - margin, bottom: all.bottom - margin };
  const box = onScreen(camera, bounds);
  if (box.right - box.left > free.right - free.left || box.bottom - box.top > free.bottom - free.top) {
    return fit(bounds, size, insets, camera.zoom);
  }
  const within = { x: shift(box.left, box.right, free.left, free.right), y: shift(box.top, box.bottom, free.top, free.bottom) };
  const padded = {
    left: box.left + within.x - margin,
    top: box.top + within.y - margin,
    right: box.right + within.x + margin,
    bottom: box.bottom + within.y + margin,
  };
  const out = outOfCorner(padded, all, size, insets);
  const dx = within.x + out.x;
  const dy = within.y + out.y;
  return dx === 0 && dy === 0 ? camera : { x: camera.x + dx, y: camera.y + dy, zoom: camera.zoom };
}

function shift(low: number, high: number, min: number, max: number): number {
  if (low < min) return min - low;
  return high > max ? max - high : 0;
}
